/** A client of a stream that needs little time and memory of its own: it counts events, and knows when the last one came. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { benchKey } from '../server-process.js';

export class Subscriber {
  /** The events so far, without the one that opens the stream. */
  events = 0;
  /** When the last one came, by `performance.now()`. */
  lastAt = 0;
  readonly #socket: Socket;
  #isOpen = false;
  #whenEvent: (() => void) | undefined;

  private constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    this.#socket.on('data', (chunk) => this.#take(chunk)).on('error', () => undefined);
  }

  /** Resolves when the stream is open. @throws if it is refused */
  static async open(port: number, query: string): Promise<Subscriber> {
    const subscriber = new Subscriber(port);
    await once(subscriber.#socket, 'connect');
    const opened = subscriber.next();
    const body = JSON.stringify({ query });
    const head = [
      'POST /graphql HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${benchKey}`,
      'Accept: text/event-stream',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    subscriber.#socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    await opened;
    return subscriber;
  }

  /** Resolves with the next event, or with the one that opens the stream. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenEvent = resolve;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (!chunk.includes('event: next')) {
      if (!this.#isOpen && chunk.includes('HTTP/1.1 ') && !chunk.includes(' 200 ')) throw new Error(chunk.toString());
      return;
    }
    this.lastAt = performance.now();
    if (this.#isOpen) this.events++;
    this.#isOpen = true;
    this.#whenEvent?.();
  }
}

/** Opens so many streams, a few at a time. */
export async function openMany(port: number, query: string, count: number): Promise<Subscriber[]> {
  const subscribers: Subscriber[] = [];
  while (subscribers.length < count) {
    const few = Math.min(50, count - subscribers.length);
    subscribers.push(...(await Promise.all(Array.from({ length: few }, () => Subscriber.open(port, query)))));
  }
  return subscribers;
}
