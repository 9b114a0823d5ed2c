/** The client's end of a stream. */
import type { ServerResponse } from 'node:http';
import type { Arrival, Identity } from '../../../change/context.js';
import type { Subscription } from '../../../graphql/operation/admission.js';
import type { GatewayError } from '../../../model/errors/gateway-error.js';
import type { Visit } from '../visit.js';
import { noStore } from './headers.js';

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

/** Server-sent events (HTML Standard, 9.2). */
export const eventStreamType = 'text/event-stream; charset=utf-8';

export class EventStream {
  readonly #response: ServerResponse;
  readonly #headers: string[];
  /** What was sent since the client last had read everything. */
  #frames: Buffer[] = [];
  #bytes = 0;
  #slowSince = 0;

  constructor({ response, headers }: Visit, { type }: Pick<StreamFormat, 'type'>) {
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

  /** Resolves when the client has read what was sent, or is gone. */
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

  /** Calls `leave` when the client is gone. */
  whenGone(leave: () => void): void {
    if (this.#response.destroyed) leave();
    else this.#response.on('close', leave);
  }

  /** Sends the last events and ends the answer. */
  end(last: Buffer): void {
    this.#response.end(last);
  }

  #read(): void {
    for (const frame of this.#frames) release(frame);
    this.#frames = [];
    this.#bytes = 0;
  }
}

// Streams of changes, as each protocol asks for them and sends them; a feature follows the changes.

/** The client's end of a stream. */
export type Receiver = Pick<EventStream, 'open' | 'send' | 'drained' | 'whenGone' | 'end'>;

/** How the events of a protocol look on the wire. */
export interface StreamFormat {
  readonly name: string;
  readonly type: string;
  /**
   * `text` is the JSON of a GraphQL result with one event. With `isOpening` it also says when to reconnect after a
   * break.
   */
  event(position: number, text: string, isOpening?: boolean): Buffer;
  /** The end of a stream; `refusal` is the reason if it must not be begun again. */
  end(requestId: string, refusal?: GatewayError): Buffer;
  heartbeat(position: number): Buffer;
}

/** What a stream tells of itself. */
export type StreamNotice = 'OPENED' | 'TOO_OLD' | 'CLOSING';

/** What a client asks for that wants a stream, whatever its protocol. */
export interface StreamRequest {
  subscription: Subscription;
  arrival: Arrival;
  /** That with which the subscription was admitted just now. */
  identity: Identity;
  format: StreamFormat;
  /** Where the client has come to; undefined to begin with the next change. */
  after: number | undefined;
  /** Begins the answer, once nothing can be refused any more. */
  begin(): Receiver;
  /** Asked every few seconds while the stream is open; what it returns ends it. */
  refusal?: () => GatewayError | undefined;
}

/** The feature that follows changes. */
export interface Streams {
  readonly size: number;
  /**
   * Begins a stream. @throws FORBIDDEN; BAD_USER_INPUT for a position that was never given; RATE_LIMITED and UNAVAILABLE
   * for one stream too many
   */
  subscribe(request: StreamRequest): Promise<void>;
  /** @throws what `subscribe` would, as far as it is known before a stream begins */
  requireAllowed(subscription: Subscription, identity: Identity): void;
  /** Ends every stream, each with its position, and refuses others: the process stops. */
  close(): void;
}
