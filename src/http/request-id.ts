import { randomFillSync } from 'node:crypto';

/**
 * The id that stands in every log line and error of a request: the caller's own `X-Request-Id` where it is plain enough
 * to be written anywhere, else a new one.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : newRequestId();
}

const pool = Buffer.alloc(16 * 256);
let used = pool.length;

/** 128 random bits in hexadecimal, drawn 256 at a time: asking the system for each would take longer than the rest. */
function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.toString('hex', used - 16, used);
}
