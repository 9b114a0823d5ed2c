/** Sends a large answer in pieces as fast as the client reads, and yields to the event loop after each piece. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';

type Encoding = 'latin1' | 'utf8';

/** Characters in each piece. */
const pieceLength = 128 * 1024;
/**
 * How many answers may be compressed at the same time: zlib shares libuv's four threads with all other background work.
 */
const mostCompressing = 2;

let compressing = 0;

/** Whether another large answer may be compressed; otherwise it is sent uncompressed. */
export const mayCompress = (): boolean => compressing < mostCompressing;

export function sendChunks(response: ServerResponse, body: string, encoding: Encoding): void {
  write(response, response, body, encoding);
}

/** As `sendPieces`, compressed with gzip. */
export function sendCompressed(response: ServerResponse, body: string, encoding: Encoding): void {
  const gzip = createGzip({ level: 1 });
  compressing++;
  response.once('close', () => {
    compressing--;
    gzip.destroy();
  });
  gzip.on('error', (error) => response.destroy(error));
  gzip.pipe(response);
  write(gzip, response, body, encoding);
}

function write(sink: Writable, response: ServerResponse, body: string, encoding: Encoding): void {
  let start = 0;
  const next = () => {
    if (response.destroyed) return;
    if (start >= body.length) return void sink.end();
    const end = endOf(body, start + pieceLength);
    const piece = Buffer.from(body.slice(start, end), encoding);
    start = end;
    response.emit('pieces');
    if (sink.write(piece)) setImmediate(next);
    else sink.once('drain', next);
  };
  next();
}

/** The end index of a piece; it never splits a surrogate pair. */
function endOf(body: string, end: number): number {
  const last = body.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
