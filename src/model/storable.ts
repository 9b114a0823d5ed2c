/**
 * Whether both databases store the text unchanged. PostgreSQL cannot store U+0000, and neither can store half a
 * surrogate pair (docs/decisions.md: strings).
 */
export const isStorableText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** The largest number an `integer` can be. */
export const largestInt32 = 2 ** 31 - 1;

export const isInt32 = (value: number): boolean => Number.isInteger(value) && value === (value | 0);
