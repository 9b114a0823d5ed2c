import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';

/** Bytes from which an answer is worth compressing. */
const worthCompressing = 1024;

/**
 * Sends a whole answer at once, so that its length is known; to HEAD Node sends the same without the body. A longer one
 * is compressed for whoever accepts gzip, off the event loop; who does not ask for it pays nothing.
 */
export function send(
  response: ServerResponse,
  answer: { status: number; headers: Record<string, string>; body: string | undefined },
): void {
  const { status, headers, body } = answer;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) return void response.end();
  if (body.length < worthCompressing || !acceptsGzip(response.req.headers['accept-encoding'])) {
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return void response.end(body);
  }
  response.appendHeader('Vary', 'Accept-Encoding');
  gzip(body, { level: 4 }, (error, compressed) => {
    if (error) return void response.destroy(error);
    response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', compressed.length);
    response.end(compressed);
  });
}

function acceptsGzip(accepted: string | string[] | undefined): boolean {
  if (accepted === undefined) return false;
  return String(accepted)
    .split(',')
    .some((coding) => /^\s*gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/i.test(coding));
}
