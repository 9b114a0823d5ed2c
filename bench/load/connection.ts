/**
 * A connection that sends one request at a time. It needs far less processor time than Node's HTTP client, so that one
 * processor of load can saturate one processor of server.
 */
import { connect, type Socket } from 'node:net';

export interface Reply {
  status: number;
  /** Bytes on the wire, head and body. */
  bytes: number;
  text(): string;
  /** Whether the answer contains `"errors"`, as a failed GraphQL operation does. */
  hasErrors: boolean;
}

export class Connection {
  #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The server closed the connection')));
  }

  /** Sends a request, given as bytes, and resolves with the answer. Rejects if the connection is lost. */
  send(request: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const reply = replyIn(this.#received);
    if (!reply) return;
    this.#received = Buffer.alloc(0);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(reply);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const ERRORS = Buffer.from('"errors"');

/** The answer, once it is complete. */
function replyIn(bytes: Buffer): Reply | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const bodyStart = headEnd + HEAD_END.length;
  // Requests are not pipelined, so nothing follows the last chunk.
  const isWhole =
    length === undefined
      ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : bytes.length >= bodyStart + Number(length);
  if (!isWhole) return undefined;
  return {
    status: Number(bytes.toString('latin1', 9, 12)),
    bytes: bytes.length,
    hasErrors: bytes.indexOf(ERRORS, bodyStart) >= 0,
    text: () => (length === undefined ? unchunked(bytes.subarray(bodyStart)) : bytes.toString('utf8', bodyStart)),
  };
}

function unchunked(bytes: Buffer): string {
  const parts: Buffer[] = [];
  for (let start = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', start);
    const size = Number.parseInt(bytes.toString('latin1', start, lineEnd), 16);
    if (!size) return Buffer.concat(parts).toString('utf8');
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    start = lineEnd + 2 + size + 2;
  }
}
