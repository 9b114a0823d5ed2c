/**
 * Bytes as a string with one character per byte (latin1). The UTF-8 that comes from the database is passed through
 * unchanged, because decoding and encoding it again would take a third of the time of a page. Only ASCII, or UTF-8 in
 * this form, may be appended to such a string.
 */
export type Bytes = string;

/** The UTF-8 bytes of a text. */
export const bytesOf = (text: string): Bytes => Buffer.from(text).toString('latin1');
