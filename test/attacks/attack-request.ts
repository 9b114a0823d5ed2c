/** Sends the requests of attacks over connections of their own, and returns their outcome. */
import { Agent, request } from 'node:http';
import { type GatewayProcess, key } from '../faults/gateway-process.js';

export interface AttackRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

export interface RequestOutcome {
  status: number;
  /** `answered`, or the code of the refusal: that of REST, or the reason of the first GraphQL error. */
  code: string;
  /** Bytes of the body. */
  size: number;
  /** The beginning of the body. */
  beginning: string;
  milliseconds: number;
}

const maxBeginningBytes = 4096;

/** An operation of GraphQL by POST. */
export const graphqlOperation = (
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): AttackRequest => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
  headers,
});

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

/** Never rejects. The client reads `bytesPerSecond` bytes of the answer in a second; by default as fast as it can. */
export function sendRequest(
  gateway: GatewayProcess,
  attackRequest: AttackRequest,
  bytesPerSecond?: number,
): Promise<RequestOutcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, code: string, size: number, beginning: string) =>
      resolve({ status, code, size, beginning, milliseconds: performance.now() - startedAt });
    const length = attackRequest.body === undefined ? {} : { 'content-length': Buffer.byteLength(attackRequest.body) };
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...attackRequest.headers,
      ...length,
    };
    const outgoing = request(gateway.url + attackRequest.path, { method: attackRequest.method, headers, agent });
    outgoing.on('response', (answer) => {
      let size = 0;
      let beginning = '';
      answer.on('data', (chunk: Buffer) => {
        if (size < maxBeginningBytes) beginning += chunk.toString('utf8', 0, maxBeginningBytes - size);
        size += chunk.length;
        if (bytesPerSecond === undefined) return;
        answer.pause();
        setTimeout(() => answer.resume(), (chunk.length / bytesPerSecond) * 1000);
      });
      answer.on('end', () => end(answer.statusCode ?? 0, codeIn(beginning), size, beginning));
      answer.on('error', (error) => end(0, `broken off: ${error.message}`, size, beginning));
    });
    outgoing.on('error', (error) => end(0, `no answer: ${error.message}`, 0, ''));
    outgoing.end(attackRequest.body);
  });
}

/** The first code in the text of an answer, or in its beginning. */
function codeIn(text: string): string {
  if (!/^\{"errors?":/.test(text)) return 'answered';
  return /"reason":"(\w+)"/.exec(text)?.[1] ?? /"code":"(\w+)"/.exec(text)?.[1] ?? 'unknown';
}
