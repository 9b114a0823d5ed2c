/** Streams of changes, as each protocol asks for them and sends them; a feature follows the changes. */
import type { Arrival } from '../../../change/arrival.js';
import type { Identity } from '../../../change/context.js';
import type { Subscription } from '../../../graphql/operation/admission.js';
import type { GatewayError } from '../../../model/errors/gateway-error.js';

/** The client's end of a stream. */
export interface Receiver {
  /** Begins the answer. */
  open(first: Buffer): void;
  /** Sends an event. Returns false if the client has too much unread already; then it is not sent. */
  send(frame: Buffer): boolean;
  /** Resolves when the client has read what was sent, or is gone. */
  drained(): Promise<void>;
  /** Calls `leave` when the client is gone. */
  whenGone(leave: () => void): void;
  /** Sends the last events and ends the answer. */
  end(last: Buffer): void;
}

/** How the events of a protocol look on the wire. */
export interface StreamFormat {
  readonly name: string;
  /** The `Content-Type` of the answer. */
  readonly type: string;
  /**
   * `text` is the JSON of a GraphQL result with one event. With `isOpening` it also says when to reconnect after a
   * break.
   */
  event(position: number, text: string, isOpening?: boolean): Buffer;
  /** The end of a stream; `refusal` is the reason if it must not be begun again. */
  end(requestId: string, refusal?: GatewayError): Buffer;
  /** Keeps the connection alive. */
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

/** The part that admission decides. */
export type AdmittedStream = Pick<StreamRequest, 'subscription' | 'identity'>;

/** The feature that follows changes. */
export interface Streams {
  /** The streams that are open. */
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
