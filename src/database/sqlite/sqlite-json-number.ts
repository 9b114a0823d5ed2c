/**
 * A number as JSON.stringify writes it, in SQLite's JSONB format. SQLite itself writes 80 as 80.0, and every third
 * double with more digits than necessary (0.3333333333333333 as 0.33333333333333332).
 *
 * Called for numbers of the journal and of answers that are counted before they are built; other answers are corrected in
 * their text, which is faster. All calls share one buffer: SQLite copies the bytes before the next call, and a new buffer
 * for each would take four times as long.
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

/** The first byte of a JSONB number: its type, and that the next byte holds the length. */
const [integer, float] = [0xc3, 0xc5];
const [point, e] = ['.', 'e'].map((character) => character.charCodeAt(0));

/**
 * The length of `-0.0000013505067579109074`, the longest form: up to five zeros after the point and 17 digits, with
 * room to spare.
 */
const longest = 25;
const bytes = Buffer.alloc(2 + longest);
const parts = Array.from({ length: longest + 1 }, (_, length) => bytes.subarray(0, 2 + length));
