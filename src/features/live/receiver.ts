/** The client's end of a stream, whatever its protocol. */
import type { GatewayError } from '../../model/errors/gateway-error.js';

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
