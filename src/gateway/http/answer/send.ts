import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import { errors } from '../../../model/errors/errors.js';
import type { Visit } from '../visit.js';
import { names, noStore } from './headers.js';

/** Bytes from which an answer is compressed, and from which it is sent in pieces. */
const worthCompressing = 1024;
const large = 256 * 1024;

/** An answer, without the headers that every answer has. */
export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** Whether the body is `Bytes`, with one character for each byte. */
  isBytes?: boolean;
}

/**
 * Sends an answer with its `Content-Length`; for HEAD, Node leaves out the body. From 1 KiB it is compressed for
 * clients that accept gzip, outside the event loop. From 256 KiB it is sent in pieces. @throws UNAVAILABLE `busy` for a
 * read whose answer does not fit into the memory for outgoing answers
 */
export function send(visit: Visit, answer: HttpAnswer): void {
  const { response } = visit;
  const { status, headers, body } = answer;
  const encoding = encodingOf(answer);
  const all = [...visit.headers];
  if (headers['Cache-Control'] === undefined) all.push(...noStore);
  // What has no body, such as a 304, has no type.
  for (const name in headers) if (body !== undefined || name !== 'Content-Type') all.push(name, headers[name] ?? '');
  if (visit.isLast) all.push('Connection', 'close');
  if (body === undefined) return endTogether(response.writeHead(status, all), body, encoding);
  if (body.length >= large) return sendLarge(visit, status, all, body, encoding);
  if (body.length < worthCompressing || !names(response.req.headers['accept-encoding']?.toString(), 'gzip')) {
    all.push('Content-Length', String(Buffer.byteLength(body, encoding)));
    return endTogether(response.writeHead(status, all), body, encoding);
  }
  gzip(Buffer.from(body, encoding), { level: 4 }, (error, compressed) => {
    if (error) return void response.destroy(error);
    all.push('Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip', 'Content-Length', String(compressed.length));
    response.writeHead(status, all).end(compressed);
  });
}

/** Whether `If-None-Match` matches this ETag or is `*`. The comparison is weak: `W/` is ignored (RFC 9110, 13.1.2). */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((listed) => {
    const tag = listed.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

type Encoding = 'latin1' | 'utf8';

export const encodingOf = ({ isBytes }: HttpAnswer): Encoding => (isBytes ? 'latin1' : 'utf8');

function sendLarge({ response, isRead }: Visit, status: number, headers: string[], body: string, encoding: Encoding) {
  const length = Buffer.byteLength(body, encoding);
  reserve(response, length, isRead);
  headers.push('Vary', 'Accept-Encoding');
  const { method, headers: asked } = response.req;
  if (method === 'HEAD') return void response.writeHead(status, [...headers, 'Content-Length', String(length)]).end();
  if (compressing < mostCompressing && names(asked['accept-encoding']?.toString(), 'gzip')) {
    response.writeHead(status, [...headers, 'Content-Encoding', 'gzip']);
    return sendCompressed(response, body, encoding);
  }
  response.writeHead(status, [...headers, 'Content-Length', String(length)]);
  sendPieces(response, response, body, encoding);
}

// Ends answers together that are ready in one turn of the event loop. Each answer that is sent alone wakes the client's
// process, or the proxy's, and sending after each read makes the processor load other code and data again and again:
// together that took a third of the time of a short read. The first answer of a turn is sent at once, because it may be
// the only one.

/** Milliseconds after which the answers that are ready wait for no further one. */
const longestWait = 1;

interface Answer {
  response: ServerResponse;
  body: string | undefined;
  encoding: Encoding;
}

/** Whether an answer was sent in this turn. */
let isUnderWay = false;
let ready: Answer[] = [];
let firstReadyAt = 0;

/** Ends a response whose headers are written: at once, at the end of the turn, or when others have waited for long. */
export function endTogether(response: ServerResponse, body: string | undefined, encoding: Encoding): void {
  if (!isUnderWay) {
    isUnderWay = true;
    setImmediate(endTurn);
    return void response.end(body, encoding);
  }
  const now = performance.now();
  if (ready.length === 0) firstReadyAt = now;
  ready.push({ response, body, encoding });
  if (now - firstReadyAt > longestWait) endReady();
}

function endTurn(): void {
  isUnderWay = false;
  endReady();
}

function endReady(): void {
  const answers = ready;
  ready = [];
  for (const { response, body, encoding } of answers) response.end(body, encoding);
}

const pieceLength = 128 * 1024;
/**
 * How many answers may be compressed at the same time: zlib shares libuv's four threads with all other background work.
 */
const mostCompressing = 2;

let compressing = 0;

function sendCompressed(response: ServerResponse, body: string, encoding: Encoding): void {
  const gzip = createGzip({ level: 1 });
  compressing++;
  response.once('close', () => {
    compressing--;
    gzip.destroy();
  });
  gzip.on('error', (error) => response.destroy(error));
  gzip.pipe(response);
  sendPieces(gzip, response, body, encoding);
}

/** Sends a large answer in pieces as fast as the client reads, and yields to the event loop after each piece. */
function sendPieces(sink: Writable, response: ServerResponse, body: string, encoding: Encoding): void {
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

// Memory for answers that clients have not taken yet, counted for the whole process. A read that would exceed its limit
// is answered `busy`. The answer to a write is always sent, because the write has happened; once such answers fill the
// second limit, every new request is answered `busy`.

/** Limits in bytes: up to which reads may add, and from which new requests are refused. */
export const mostWaiting = { reads: 96 * 1024 * 1024, all: 256 * 1024 * 1024 };

let waiting = 0;

/** Whether new requests have to be refused. */
export const isFull = (): boolean => waiting >= mostWaiting.all;

/** Bytes of large answers that wait to be taken. */
export const waitingBytes = (): number => waiting;

/** Counts `bytes` until the response is closed. @throws UNAVAILABLE `busy` for a read that does not fit */
function reserve(response: ServerResponse, bytes: number, isRead: boolean): void {
  if (isRead && waiting > 0 && waiting + bytes > mostWaiting.reads) throw errors.unavailable('busy');
  if (response.destroyed) return;
  waiting += bytes;
  response.once('close', () => {
    waiting -= bytes;
  });
}
