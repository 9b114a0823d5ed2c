/**
 * A number as JSON.stringify writes it, in SQLite's own binary JSON. SQLite writes 80 as 80.0 and one in three doubles with
 * more digits than it needs, 0.3333333333333333 as 0.33333333333333332.
 *
 * Every number of every answer goes through here: the bytes stand in one place that is used again, for SQLite copies them
 * before the next call, and a buffer for each would take four times as long.
 */
export function jsonNumber(number: unknown): Uint8Array {
  const text = `${number}`;
  let kind = integer;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === point || code === e) kind = float;
    bytes[index + 2] = code;
  }
  bytes[0] = kind;
  bytes[1] = text.length;
  return parts[text.length] ?? bytes;
}

/** The first byte: that the length stands in the next one, and the kind of number. */
const [integer, float] = [0xc3, 0xc5];
const [point, e] = ['.', 'e'].map((character) => character.charCodeAt(0));

/** Of `-0.0000013505067579109074`: five zeros behind the point are the most, and 17 digits. */
const longest = 25;
const bytes = Buffer.alloc(2 + longest);
const parts = Array.from({ length: longest + 1 }, (_, length) => bytes.subarray(0, 2 + length));
