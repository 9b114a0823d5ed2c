/**
 * Bytes as a string with one character per byte (latin1). The UTF-8 that comes from the database is passed through
 * unchanged, because decoding and encoding it again would take a third of the time of a page. Only ASCII, or results of
 * this file, may be appended to such a string.
 */
export type Bytes = string;

/** The UTF-8 bytes of a text. */
export const bytesOf = (text: string): Bytes => Buffer.from(text).toString('latin1');

/** The bytes of a text that a database returned either as a buffer or as a string. */
export function bytesIn(value: unknown): Bytes {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return bytesOf(String(value));
}

/** The encoding for writing the body of an answer. */
export const encodingOf = ({ isBytes }: { isBytes?: boolean }): 'latin1' | 'utf8' => (isBytes ? 'latin1' : 'utf8');
