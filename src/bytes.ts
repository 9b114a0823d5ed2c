/**
 * Bytes in the form of a string, one character each: the UTF-8 of a text passes through JavaScript as it came from the
 * database, where decoding and encoding it again would take a third of the time of a page. What is added to such a string
 * must be ASCII, or have been made by this file.
 */
export type Bytes = string;

/** The bytes of a text. */
export const bytesOf = (text: string): Bytes => Buffer.from(text).toString('latin1');

/** The bytes of what a database gives for a text: the bytes themselves, or the text. */
export function bytesIn(value: unknown): Bytes {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return bytesOf(String(value));
}

/** The encoding in which the body of an answer is to be sent. */
export const encodingOf = ({ isBytes }: { isBytes?: boolean }): 'latin1' | 'utf8' => (isBytes ? 'latin1' : 'utf8');
