/**
 * Numbers in the JSON of SQLite. SQLite writes 80 as 80.0, and every third double with more digits than necessary
 * (0.3333333333333333 as 0.33333333333333332). Correcting all numbers of an answer in its text takes half the time of a
 * function that SQLite calls for each.
 *
 * The statement marks the keys of numbers with a control character, which no alias contains. `json_object` escapes it,
 * and a value never ends with a colon, so what it writes occurs nowhere else in an answer.
 */
import type { Bytes } from '../../common/bytes.js';

/** The key of a number in SQL, marked. */
export const numberKey = (key: string): string => `${key}\u0001`;

const mark = '\\u0001';
const markedKeyEnd = `${mark}":`;

/** Bytes that SQLite writes for a whole number beyond those of the answer. */
export const numberSurplus = mark.length + '.0'.length;

/** A JSON text of SQLite with its numbers as JSON.stringify writes them, and without the marks. */
export function withPlainNumbers(text: Bytes): Bytes {
  let at = text.indexOf(markedKeyEnd);
  if (at < 0) return text;
  let plain = '';
  let from = 0;
  for (; at >= 0; at = text.indexOf(markedKeyEnd, from)) {
    plain += text.slice(from, at);
    from = at + mark.length;
    const start = at + markedKeyEnd.length;
    const { end, isPlain } = numberAt(text, start);
    if (isPlain) continue;
    const isWhole = text.startsWith('.0', end - 2) && end - start <= longestExact;
    plain += isWhole ? text.slice(from, end - 2) : `":${Number(text.slice(start, end))}`;
    from = end;
  }
  return plain + text.slice(from);
}

/** Up to this many characters, a number has at most 15 digits, which SQLite writes as JSON.stringify does. */
const longestExact = 16;

/** Where the number, or null, that begins at `start` ends, and whether it is written as JSON.stringify does. */
function numberAt(text: string, start: number): { end: number; isPlain: boolean } {
  let end = start;
  let hasExponent = false;
  for (let code = text.charCodeAt(end); code !== COMMA && code !== CLOSING; code = text.charCodeAt(++end)) {
    if (code === EXPONENT) hasExponent = true;
  }
  return { end, isPlain: !hasExponent && end - start <= longestExact && !text.startsWith('.0', end - 2) };
}

const [COMMA, CLOSING, EXPONENT] = [44, 125, 101];
