import { randomFillSync } from 'node:crypto';

/**
 * The id in every log line and error of a request: the client's `X-Request-Id` where it has only safe characters, else
 * a new id.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : newRequestId();
}

const pool = Buffer.alloc(16 * 256);
let used = pool.length;

/** 128 random bits in hexadecimal. 256 ids are drawn at once, because each call to the system is slow. */
function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.toString('hex', used - 16, used);
}
