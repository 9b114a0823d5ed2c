/** The client's end of a stream. */
import type { ServerResponse } from 'node:http';
import type { StreamRequest } from '../../gateway/call.js';
import { noStore } from '../../gateway/http/answer/headers.js';

/**
 * The most events and bytes that a client may leave unread; fewer of each once all slow clients together hold half of
 * `allBytes`.
 */
export const mostUnread = { events: 1_000, bytes: 1024 * 1024, allBytes: 64 * 1024 * 1024, bytesWhenFull: 64 * 1024 };
/** Milliseconds for which a client may read nothing of what it was sent. */
export const longestStall = 30_000;

/**
 * What slow clients of all streams have not read: how many of them hold a frame, and the bytes of all frames. A frame that
 * many clients get is in memory once.
 */
const held = new Map<Buffer, number>();
let unread = 0;

function hold(frame: Buffer): void {
  const holders = held.get(frame) ?? 0;
  held.set(frame, holders + 1);
  if (holders === 0) unread += frame.length;
}

function release(frame: Buffer): void {
  const holders = held.get(frame) ?? 0;
  if (holders > 1) return void held.set(frame, holders - 1);
  if (held.delete(frame)) unread -= frame.length;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #headers: string[];
  /** What was sent since the client last had read everything. */
  #frames: Buffer[] = [];
  #bytes = 0;
  #slowSince = 0;

  constructor({ visit: { response, headers }, format: { type } }: Pick<StreamRequest, 'visit' | 'format'>) {
    this.#response = response;
    // Proxies such as nginx hold answers back to send them in larger pieces, unless told not to.
    const own = ['Content-Type', type, 'X-Accel-Buffering', 'no', 'Connection', 'close'];
    this.#headers = [...headers, ...noStore, ...own];
    response.on('drain', () => this.#read());
    response.on('close', () => this.#read());
  }

  open(first: Buffer): void {
    this.#response.socket?.setNoDelay(true);
    this.#response.writeHead(200, this.#headers);
    this.#response.write(first);
  }

  /** Sends an event. Returns false if the client has too much unread already; then it is not sent. */
  send(frame: Buffer): boolean {
    if (this.#response.destroyed) return true;
    const isHeld = held.has(frame);
    if (!isHeld && unread + frame.length > mostUnread.allBytes) return false;
    const most = unread >= mostUnread.allBytes / 2 ? mostUnread.bytesWhenFull : mostUnread.bytes;
    const isSlow = this.#frames.length > 0;
    if (isSlow && (this.#frames.length >= mostUnread.events || this.#bytes + frame.length > most)) return false;
    if (isSlow && performance.now() - this.#slowSince > longestStall) return false;
    if (this.#response.write(frame)) return true;
    if (!isSlow) this.#slowSince = performance.now();
    this.#frames.push(frame);
    this.#bytes += frame.length;
    hold(frame);
    return true;
  }

  drained(): Promise<void> {
    if (this.#frames.length === 0 || this.#response.destroyed) return Promise.resolve();
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
    for (const frame of this.#frames) release(frame);
    this.#frames = [];
    this.#bytes = 0;
  }
}
