import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { encodingOf } from '../../../common/bytes.js';
import type { RequestState } from '../request-state.js';
import { endTogether } from './end-together.js';
import { reserve } from './outgoing-memory.js';
import { noStore } from './security-headers.js';
import { mayCompress, sendChunks, sendCompressed } from './send-chunks.js';

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
export function send(response: ServerResponse, answer: HttpAnswer, visit: RequestState): void {
  const { status, headers, body } = answer;
  const encoding = encodingOf(answer);
  const all = [...visit.headers];
  if (headers['Cache-Control'] === undefined) all.push(...noStore);
  // What has no body, such as a 304, has no type.
  for (const name in headers) if (body !== undefined || name !== 'Content-Type') all.push(name, headers[name] ?? '');
  if (visit.isLast()) all.push('Connection', 'close');
  if (body === undefined) return endTogether(response.writeHead(status, all), body, encoding);
  if (body.length >= large) return sendLarge(response, { status, headers: all, body, encoding }, visit);
  if (body.length < worthCompressing || !acceptsGzip(response.req.headers['accept-encoding'])) {
    all.push('Content-Length', String(Buffer.byteLength(body, encoding)));
    return endTogether(response.writeHead(status, all), body, encoding);
  }
  gzip(Buffer.from(body, encoding), { level: 4 }, (error, compressed) => {
    if (error) return void response.destroy(error);
    all.push('Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip', 'Content-Length', String(compressed.length));
    response.writeHead(status, all).end(compressed);
  });
}

interface Large {
  status: number;
  headers: string[];
  body: string;
  encoding: 'latin1' | 'utf8';
}

function sendLarge(
  response: ServerResponse,
  { status, headers, body, encoding }: Large,
  { isRead }: RequestState,
): void {
  const length = Buffer.byteLength(body, encoding);
  reserve(response, length, isRead);
  headers.push('Vary', 'Accept-Encoding');
  const { method, headers: asked } = response.req;
  if (method === 'HEAD') return void response.writeHead(status, [...headers, 'Content-Length', String(length)]).end();
  if (mayCompress() && acceptsGzip(asked['accept-encoding'])) {
    response.writeHead(status, [...headers, 'Content-Encoding', 'gzip']);
    return sendCompressed(response, body, encoding);
  }
  response.writeHead(status, [...headers, 'Content-Length', String(length)]);
  sendChunks(response, body, encoding);
}

function acceptsGzip(accepted: string | string[] | undefined): boolean {
  if (accepted === undefined) return false;
  return String(accepted)
    .split(',')
    .some((coding) => /^\s*gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/i.test(coding));
}
