/** Opens streams of changes as clients that mean harm do: without reading, by the thousand, with forged positions. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type GatewayProcess, key } from '../faults/gateway-process.js';

export interface OpenStream {
  status: number;
  /** What was read of it so far. */
  text: string;
  isOpen: boolean;
  close(): void;
}

export interface StreamAsk {
  query?: string;
  variables?: object;
  /** Of `GET`, instead of a query. */
  path?: string;
  headers?: Record<string, string>;
  /** Whether the client reads what it is sent. */
  reads?: boolean;
}

/** Resolves with the head of the answer. @throws where there is none */
export function openStream(
  gateway: GatewayProcess,
  { query, variables, path = '/graphql', headers = {}, reads = true }: StreamAsk,
): Promise<OpenStream> {
  const body = query === undefined ? undefined : JSON.stringify({ query, variables });
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(gateway.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response: IncomingMessage) => {
      const stream: OpenStream = {
        status: response.statusCode ?? 0,
        text: '',
        isOpen: true,
        close: () => outgoing.destroy(),
      };
      response
        .on('error', () => undefined)
        .on('close', () => {
          stream.isOpen = false;
        });
      // Only the beginning is kept: what comes after it is counted by nobody.
      if (reads) {
        response.setEncoding('utf8').on('data', (piece: string) => {
          if (stream.text.length < 4096) stream.text += piece;
        });
      }
      resolve(stream);
    });
    outgoing.end(body);
  });
}
