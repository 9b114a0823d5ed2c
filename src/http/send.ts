import type { ServerResponse } from 'node:http';

/** Sends a whole answer at once, so that its length is known; to HEAD Node sends the same without the body. */
export function send(
  response: ServerResponse,
  answer: { status: number; headers: Record<string, string>; body: string | undefined },
): void {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (answer.body !== undefined) response.setHeader('Content-Length', Buffer.byteLength(answer.body));
  response.end(answer.body);
}
