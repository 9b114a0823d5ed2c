/** Positions as clients see them: texts that only the gateway reads. Inside they are whole numbers. */

export const positionText = (position: number): string => String(position);

/** Undefined for a text that is no position. */
export function positionInText(text: string): number | undefined {
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(position) ? position : undefined;
}

/** The end of a sentence that begins with the name of an argument. */
export const notAPosition = 'must be a position that the gateway has given, as a text';
