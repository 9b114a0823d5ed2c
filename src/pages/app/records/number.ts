/**
 * The number that a text is. A text that is no plain number stays a text, so that the gateway says what is wrong with it: a
 * comma may part thousands or decimals, and nobody but the writer knows which.
 */
export const numberIn = (text: string): number | string =>
  /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text.trim()) ? Number(text) : text;
