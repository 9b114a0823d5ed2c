import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Exchange } from './described-answers.js';
import { ignoreLateErrors } from './ended-connections.js';

/** An answer over HTTP, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

/** Sends requests to the server at `url`, over connections that it keeps. `fetch` takes three times the processor time. */
export class Client {
  // Closes idle connections long before the server does: a process that is busy for some seconds would send on closed ones.
  readonly #agent = new Agent({ keepAlive: true, timeout: 20_000 });

  constructor(
    readonly url: string,
    /** Is called with every answer before the test gets it; what it throws fails the request. */
    readonly look: (exchange: Exchange) => void = () => undefined,
    /** The address of a proxy for what is asked of REST; it finds the server by the header `x-gateway`. */
    readonly proxy?: string,
  ) {}

  /** A `body` that is no string is sent as JSON. */
  send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const proxy = path.startsWith('/api/') ? this.proxy : undefined;
    const gateway = proxy && { 'x-gateway': this.url };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        // As fetch writes it: without a fragment, and with what no path may hold percent-encoded.
        new URL((proxy ?? this.url) + path),
        { method, agent: this.#agent, headers: { accept: '*/*', ...length, ...headers, ...gateway } },
        (incoming) => void this.#read(incoming, method, path).then(resolve, reject),
      );
      outgoing.on('error', reject);
      ignoreLateErrors(outgoing);
      outgoing.end(text);
    });
  }

  async #read(incoming: IncomingMessage, method: string, path: string): Promise<Answer> {
    const answer = await read(incoming);
    const { status, text, body } = answer;
    this.look({ method, path, status, headers: incoming.headers, text, body });
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function read(incoming: IncomingMessage): Promise<Answer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const isPacked = incoming.headers['content-encoding'] === 'gzip' && bytes.length > 0;
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8');
  const isJson = /json/.test(incoming.headers['content-type'] ?? '');
  return {
    status: incoming.statusCode ?? 0,
    // Made only on use: few tests read them, and making them takes longer than everything else here.
    get headers() {
      return headersOf(incoming.headers);
    },
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
}

function headersOf(incoming: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(incoming)) {
    for (const each of [value].flat()) headers.append(name, each);
  }
  return headers;
}
