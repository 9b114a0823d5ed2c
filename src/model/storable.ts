/**
 * What both databases store alike. PostgreSQL cannot hold U+0000 and neither can hold half a surrogate pair, so a text
 * with either would come back changed or not at all (decision: strings).
 */
export const isStorableText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** The largest number an `integer` can be. */
export const largestInt32 = 2 ** 31 - 1;

export const isInt32 = (value: number): boolean => Number.isInteger(value) && value === (value | 0);
