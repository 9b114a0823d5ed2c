/**
 * The number that a text is. A text that is no plain number stays a text, so that the gateway says what is wrong with it: a
 * comma may part thousands or decimals, and nobody but the writer knows which. So does one that is too large for a number:
 * as JSON, infinity would be null, which empties a field.
 */
export function numberIn(text: string): number | string {
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/** A number as people read it, and never as another number: one that is very small or very large keeps its exponent. */
export function numberText(number: number): string {
  const size = Math.abs(number);
  const isPlain = size === 0 || (size >= 1e-6 && size < 1e15);
  return isPlain ? number.toLocaleString('en', { maximumFractionDigits: 20 }) : String(number);
}
