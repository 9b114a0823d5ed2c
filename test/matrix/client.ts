/** A client that sends the given bytes, with little processor time, because there are thousands of requests. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { ignoreLateErrors } from '../support/ended-connections.js';
import type { OutgoingRequest } from './outgoing-request.js';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(readonly url: string) {}

  send({ method, path, headers, body, inChunks }: OutgoingRequest): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const length = lengthOf(body, inChunks);
      const outgoing = request(this.url + path, { method, headers: { ...headers, ...length }, agent: this.#agent });
      outgoing.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        answer.on('error', reject);
      });
      outgoing.on('error', reject);
      ignoreLateErrors(outgoing);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function lengthOf(body: OutgoingRequest['body'], inChunks = false): Record<string, string> {
  if (body === undefined) return {};
  return inChunks ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) };
}
