import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { TransferError } from '../transfer-error.js';

/** What is imported. */
export interface Input {
  stream(): Readable;
  /** In bytes, if it is known. */
  size: number | undefined;
  /** Undefined for lines of JSON. */
  csv: CsvInput | undefined;
  /** Identifies the input, so that an import of it can be resumed; undefined if it cannot. */
  key: string | undefined;
}

export interface CsvInput {
  /** The type of the documents. */
  type: string;
  /** What separates values, unless a first line `sep=;` names it. */
  delimiter: string;
  /** Whether one and a half is written 1,5. */
  decimalComma: boolean;
}

/** A file is known by all that is in it: one that was corrected is another. @throws TransferError */
export function fileInput(path: string, name: string | undefined, csv: CsvInput | undefined): Input {
  try {
    const file = openSync(path, 'r');
    try {
      const stats = fstatSync(file);
      if (stats.isDirectory()) throw new TransferError(`${path} is a folder. Give a file.`);
      const { size } = stats;
      const key = name === undefined ? `file:${digestOf(file)}${readAs(csv)}` : `name:${name}`;
      return { size, key, csv, stream: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof TransferError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new TransferError(`${path} cannot be read (${code}).`);
  }
}

/** Read otherwise, a file of CSV holds other documents. */
const readAs = (csv: CsvInput | undefined): string =>
  csv && (csv.delimiter !== ',' || csv.decimalComma)
    ? `${csv.delimiter}${csv.decimalComma ? ' decimal comma' : ''}`
    : '';

/** Takes about two seconds for a gigabyte. */
function digestOf(file: number): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(1024 * 1024);
  for (let length = readSync(file, part); length > 0; length = readSync(file, part))
    hash.update(part.subarray(0, length));
  return hash.digest('hex');
}
