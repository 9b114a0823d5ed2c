import { randomFillSync } from 'node:crypto';

/**
 * The id in every log line and error of a request: the client's `X-Request-Id` where it has only safe characters, else
 * a new id.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : newRequestId();
}

const idBytes = 16;
const pool = Buffer.alloc(idBytes * 64);
/** The ids drawn and not yet used, in hexadecimal. */
let drawn = '';
let used = 0;

/**
 * 128 random bits in hexadecimal. 64 ids are drawn at once, because each call to the system is slow. More would waste
 * memory: as long as one id is kept, the text of all ids drawn with it stays in memory.
 */
function newRequestId(): string {
  if (used === drawn.length) {
    drawn = randomFillSync(pool).toString('hex');
    used = 0;
  }
  used += 2 * idBytes;
  return drawn.slice(used - 2 * idBytes, used);
}
