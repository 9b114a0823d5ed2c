/** Searches for traces of a secret: in text, in bytes, in an SQLite file page by page. */
import { existsSync, readFileSync } from 'node:fs';

/** A secret in the forms in which it could be found: as it is, in hexadecimal, and within base64 at any offset. */
export function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    // Cut to whole groups of three bytes, which look the same whatever stands around them.
    const whole = secret.slice(offset, offset + Math.floor((secret.length - offset) / 3) * 3);
    return [Buffer.from(whole).toString('base64'), Buffer.from(whole).toString('base64url')];
  });
  const hex = Buffer.from(secret).toString('hex');
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), hex, ...base64])];
}

/** Those of the forms that are in the text or the bytes. */
export function tracesIn(place: string | Buffer, secret: string): string[] {
  return formsOf(secret).filter((form) => place.includes(form));
}

/**
 * The numbers of the pages of an SQLite file, and of its write-ahead log, that hold the secret in any form; the log is
 * read whole, pages that were written over included (https://www.sqlite.org/fileformat2.html).
 */
export function pagesWith(path: string, secret: string): number[] {
  const file = readFileSync(path);
  const size = file.readUInt16BE(16) === 1 ? 65_536 : file.readUInt16BE(16);
  const pages = new Set<number>();
  for (let page = 1; page * size <= file.length; page++) {
    if (tracesIn(file.subarray((page - 1) * size, page * size), secret).length > 0) pages.add(page);
  }
  const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0);
  for (let frame = 32; frame + 24 + size <= log.length; frame += 24 + size) {
    const content = log.subarray(frame + 24, frame + 24 + size);
    if (tracesIn(content, secret).length > 0) pages.add(log.readUInt32BE(frame));
  }
  return [...pages].sort((one, other) => one - other);
}
