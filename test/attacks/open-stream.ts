/**
 * Opens streams of changes like malicious clients: without reading, by the thousand, with forged positions. Over plain
 * sockets, because thousands of Node's HTTP clients would take more processor time than the gateway.
 */
import { connect } from 'node:net';
import { type GatewayProcess, key } from '../faults/gateway-process.js';

export interface OpenStream {
  status: number;
  /** What was read of it so far, without the head. */
  text: string;
  isOpen: boolean;
  close(): void;
}

export interface StreamRequest {
  query?: string;
  variables?: object;
  /** The path for a `GET`, instead of a query. */
  path?: string;
  headers?: Record<string, string>;
  /** Whether the client reads what it is sent. */
  reads?: boolean;
}

/** Characters of a stream that are kept, more than all events of an attack have; later ones are dropped. */
const maxTextLength = 65_536;

/** Resolves with the head of the answer. @throws where there is none */
export function openStream(gateway: GatewayProcess, request: StreamRequest): Promise<OpenStream> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let head = '';
    const stream: OpenStream = { status: 0, text: '', isOpen: true, close: () => void socket.destroy() };
    socket.setEncoding('latin1').on('data', (piece: string) => {
      if (stream.status > 0) {
        if (stream.text.length < maxTextLength) stream.text += piece;
        return;
      }
      head += piece;
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      stream.status = Number(head.split(' ')[1]);
      stream.text = head.slice(end + 4);
      if (request.reads === false) socket.pause();
      resolve(stream);
    });
    socket.on('error', reject).on('close', () => {
      stream.isOpen = false;
      reject(new Error('The connection was closed before there was an answer'));
    });
    socket.write(requestOf(request));
  });
}

function requestOf({ query, variables, path = '/graphql', headers = {} }: StreamRequest): string {
  const body = query === undefined ? '' : JSON.stringify({ query, variables });
  const all = {
    host: 'x',
    connection: 'close',
    authorization: `Bearer ${key}`,
    accept: 'text/event-stream',
    ...(query === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${query === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
