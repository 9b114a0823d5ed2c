import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { TransferError } from '../transfer-error.js';

/** What is imported. */
export interface Input {
  stream(): Readable;
  /** In bytes, if it is known. */
  size: number | undefined;
  /** The type of the documents of a file of CSV; undefined for lines of JSON. */
  csvType: string | undefined;
  /** Identifies the input, so that an import of it can be resumed; undefined if it cannot. */
  key: string | undefined;
}

/** A file is known by all that is in it: one that was corrected is another. @throws TransferError */
export function fileInput(path: string, name: string | undefined, csvType: string | undefined): Input {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = statSync(path);
      const key = name === undefined ? `file:${digestOf(file)}` : `name:${name}`;
      return { size, key, csvType, stream: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new TransferError(`${path} cannot be read (${code}).`);
  }
}

/** Takes about two seconds for a gigabyte. */
function digestOf(file: number): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(1024 * 1024);
  for (let length = readSync(file, part); length > 0; length = readSync(file, part))
    hash.update(part.subarray(0, length));
  return hash.digest('hex');
}
