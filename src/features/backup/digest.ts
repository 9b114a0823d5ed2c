/**
 * The digest of a backup, in a file beside it as `sha256sum` writes and checks it. SQLite has no checksums of its own,
 * so only the digest shows that a backup has changed.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const digestFile = (file: string): string => `${file}.sha256`;

/** SHA-256 of a file, in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

export const digestLine = (digest: string, file: string): string => `${digest}  ${basename(file)}\n`;

/** The digest that stands beside the file; undefined if there is none. */
export function readDigest(file: string): string | undefined {
  try {
    return /^[0-9a-f]{64}\b/.exec(readFileSync(digestFile(file), 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}
