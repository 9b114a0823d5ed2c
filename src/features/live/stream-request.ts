import type { Arrival } from '../../change/arrival.js';
import type { Identity } from '../../change/context.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import type { Receiver, StreamFormat } from './receiver.js';

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
