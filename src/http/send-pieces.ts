/** Sends a large answer piece by piece, as its client takes it, with a turn for everybody else after each piece. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';

type Encoding = 'latin1' | 'utf8';

/** Characters of a piece. */
const pieceLength = 128 * 1024;
/** Answers compressed at a time: they share four threads with all else that the process does beside its own. */
const mostCompressing = 2;

let compressing = 0;

/** Whether another large answer can be compressed; else it is sent as it is, which every client takes. */
export const mayCompress = (): boolean => compressing < mostCompressing;

export function sendPieces(response: ServerResponse, body: string, encoding: Encoding): void {
  response.emit('pieces');
  write(response, response, body, encoding);
}

/** The same, compressed. */
export function sendCompressed(response: ServerResponse, body: string, encoding: Encoding): void {
  const gzip = createGzip({ level: 1 });
  compressing++;
  response.once('close', () => {
    compressing--;
    gzip.destroy();
  });
  gzip.on('error', (error) => response.destroy(error));
  gzip.pipe(response);
  response.emit('pieces');
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
    if (sink.write(piece)) setImmediate(next);
    else sink.once('drain', next);
  };
  next();
}

/** The end of a piece: no character is cut in two. */
function endOf(body: string, end: number): number {
  const last = body.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
