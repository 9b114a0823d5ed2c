/** The client's end of a stream of server-sent events (HTML Standard, 9.2). */
import type { ServerResponse } from 'node:http';
import type { Receiver } from '../live/receiver.js';
import type { RequestState } from './request-state.js';
import { noStore } from './security-headers.js';

/** What a client may have unread: events, and bytes; bytes of each once all slow clients together hold `allBytes`. */
export const mostUnread = { events: 1_000, bytes: 1024 * 1024, allBytes: 64 * 1024 * 1024, bytesWhenFull: 64 * 1024 };
/** Milliseconds for which a client may read nothing of what it was sent. */
export const longestStall = 30_000;

/** Bytes that slow clients of all streams have not read. */
let unread = 0;

export const eventStreamType = 'text/event-stream; charset=utf-8';

export class EventStream implements Receiver {
  readonly #response: ServerResponse;
  readonly #headers: string[];
  /** What was sent since the client last had read everything. */
  #events = 0;
  #bytes = 0;
  #slowSince = 0;

  constructor(response: ServerResponse, { headers }: RequestState) {
    this.#response = response;
    // Proxies such as nginx hold answers back to send them in larger pieces, unless told not to.
    const own = ['Content-Type', eventStreamType, 'X-Accel-Buffering', 'no', 'Connection', 'close'];
    this.#headers = [...headers, ...noStore, ...own];
    response.on('drain', () => this.#read());
    response.on('close', () => this.#read());
  }

  open(first: Buffer): void {
    this.#response.socket?.setNoDelay(true);
    this.#response.writeHead(200, this.#headers);
    this.#response.write(first);
  }

  send(frame: Buffer): boolean {
    if (this.#response.destroyed) return true;
    const most = unread >= mostUnread.allBytes ? mostUnread.bytesWhenFull : mostUnread.bytes;
    const isTooSlow = this.#events >= mostUnread.events || this.#bytes + frame.length > Math.max(most, frame.length);
    if (isTooSlow || (this.#events > 0 && performance.now() - this.#slowSince > longestStall)) return false;
    if (this.#response.write(frame)) return true;
    if (this.#events === 0) this.#slowSince = performance.now();
    this.#events++;
    this.#bytes += frame.length;
    unread += frame.length;
    return true;
  }

  drained(): Promise<void> {
    if (this.#events === 0 || this.#response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#response.off('drain', done).off('close', done);
        resolve();
      };
      this.#response.on('drain', done).on('close', done);
    });
  }

  whenGone(leave: () => void): void {
    if (this.#response.destroyed) leave();
    else this.#response.on('close', leave);
  }

  end(last: Buffer): void {
    this.#response.end(last);
  }

  #read(): void {
    unread -= this.#bytes;
    this.#events = 0;
    this.#bytes = 0;
  }
}
