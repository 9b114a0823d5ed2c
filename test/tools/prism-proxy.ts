import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Served } from './served.js';

/** What Prism says of a request and its answer. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  /** What is wrong with an answer, or with a request that succeeds. */
  violations: string[];
}

/**
 * A proxy through which tests reach the gateway that a request names (`TEST_PROXY`): each request goes to Prism, from
 * there back to this proxy, and on to its gateway. Notes what Prism says, and takes it out of the answer.
 */
export async function passing(
  startPrism: (upstream: string) => Promise<Served>,
  exchanges: Exchange[],
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const { 'x-gateway': gateway, 'x-passed': passed, ...headers } = request.headers;
    const sent = await read(request);
    const isPassed = passed !== undefined || !isCarried(request, sent);
    const onwards = isPassed
      ? ask(`${gateway}${path}`, { method, headers, agent: false })
      : ask(`${prism.url}${path}`, { method, headers: { ...request.headers, 'x-passed': 'true' }, agent: false });
    onwards.on('error', (error) => response.destroy(error));
    onwards.on('response', async (answer) => {
      const status = answer.statusCode ?? 502;
      const { 'sl-violations': said, ...kept } = answer.headers;
      if (!isPassed) exchanges.push({ method, path, status, violations: wrongIn(answer, String(said ?? '[]')) });
      const body = await read(answer);
      const length: OutgoingHttpHeaders =
        method === 'HEAD' ? {} : { 'content-length': Buffer.byteLength(body, 'latin1') };
      response.writeHead(status, { ...kept, ...length }).end(body, 'latin1');
    });
    onwards.end(sent, 'latin1');
  });
  server.keepAliveTimeout = 0; // the tests keep their connections
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const prism = await startPrism(url);
  const close = async () => {
    prism.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, close };
}

function wrongIn({ statusCode = 502, headers }: IncomingMessage, said: string): string[] {
  const violations: { location: string[]; message: string }[] = JSON.parse(said);
  const wrong = violations.filter(({ location }) => location[0] === 'response' || statusCode < 400);
  const isOtherForm = headers['content-type']?.startsWith('application/problem+json');
  return wrong.map(({ message }) => (isOtherForm ? `application/problem+json: ${message}` : message));
}

/**
 * Whether Prism passes a request on as it came: it has no answer to HEAD, and parses JSON, so that it refuses what is none,
 * leaves out `null`, and writes `1e999` as `null`.
 */
function isCarried({ method, headers }: IncomingMessage, sent: string): boolean {
  if (method === 'HEAD') return false;
  if (sent === '' || !/json/.test(headers['content-type'] ?? '')) return true;
  try {
    const value: unknown = JSON.parse(sent);
    return Boolean(value) && JSON.stringify(value) === sent;
  } catch {
    return false;
  }
}

/** The bytes, one a character. */
async function read(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
}
