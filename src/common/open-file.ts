/** Files that are open for a moment. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** What `use` makes of a file that is open for reading, or of a folder. */
export function withOpen<Result>(path: string, use: (descriptor: number) => Result): Result {
  const descriptor = openSync(path, 'r');
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** SHA-256 of an open file, in hexadecimal. Takes about two seconds for a gigabyte. */
export function digestOf(descriptor: number): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(1024 * 1024);
  for (let length = readSync(descriptor, part); length > 0; length = readSync(descriptor, part))
    hash.update(part.subarray(0, length));
  return hash.digest('hex');
}
