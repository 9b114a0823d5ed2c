/** Streams of changes, as each protocol asks for them and sends them; a feature follows the changes. */
import type { Arrival, Identity } from '../../../change/context.js';
import type { Subscription } from '../../../graphql/operation/admission.js';
import type { GatewayError } from '../../../model/errors/gateway-error.js';
import type { Visit } from '../visit.js';

/** Server-sent events (HTML Standard, 9.2). */
export const eventStreamType = 'text/event-stream; charset=utf-8';

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
  /** Its answer begins once nothing can be refused any more. */
  visit: Pick<Visit, 'response' | 'headers'>;
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
