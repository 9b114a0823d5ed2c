/** The requests of a siege, sent over connections of their own, and their answers. */
import { Agent, request } from 'node:http';
import { type GatewayProcess, key } from '../faults/gateway-process.js';

export interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

export interface Outcome {
  status: number;
  /** `answered`, or the code of the refusal: that of REST, or the reason of the first GraphQL error. */
  code: string;
  /** Bytes of the body. */
  size: number;
  /** The beginning of the body. */
  beginning: string;
  milliseconds: number;
}

const keptBytes = 4096;

/** An operation of GraphQL by POST. */
export const operation = (query: string, variables: object = {}, headers: Record<string, string> = {}): Request => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
  headers,
});

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

/** `pace` is the number of bytes of the answer that the client reads in a second; by default as fast as it can. */
export function strike(gateway: GatewayProcess, blow: Request, pace?: number): Promise<Outcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, code: string, size: number, beginning: string) =>
      resolve({ status, code, size, beginning, milliseconds: performance.now() - startedAt });
    const length = blow.body === undefined ? {} : { 'content-length': Buffer.byteLength(blow.body) };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...blow.headers, ...length };
    const outgoing = request(gateway.url + blow.path, { method: blow.method, headers, agent });
    outgoing.on('response', (answer) => {
      let size = 0;
      let beginning = '';
      answer.on('data', (chunk: Buffer) => {
        if (size < keptBytes) beginning += chunk.toString('utf8', 0, keptBytes - size);
        size += chunk.length;
        if (pace === undefined) return;
        answer.pause();
        setTimeout(() => answer.resume(), (chunk.length / pace) * 1000);
      });
      answer.on('end', () => end(answer.statusCode ?? 0, codeIn(beginning), size, beginning));
      answer.on('error', (error) => end(0, `broken off: ${error.message}`, size, beginning));
    });
    outgoing.on('error', (error) => end(0, `no answer: ${error.message}`, 0, ''));
    outgoing.end(blow.body);
  });
}

/** The first code in the text of an answer, or in its beginning. */
function codeIn(text: string): string {
  if (!/^\{"errors?":/.test(text)) return 'answered';
  return /"reason":"(\w+)"/.exec(text)?.[1] ?? /"code":"(\w+)"/.exec(text)?.[1] ?? 'unknown';
}
