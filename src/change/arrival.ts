import type { MaybePromise } from '../common/maybe-promise.js';
import type { Identity, RequestContext } from './context.js';

/**
 * A request that has arrived with a valid key. The key may end before the body is there, and while the request waits, so it
 * has no identity: that is asked for where it is used, by `RunRequest`, and makes it a `RequestContext`.
 */
export interface Arrival extends Omit<RequestContext, 'identity'> {
  /** The key with which it has arrived. */
  keyId: string;
  /** The identity at this moment. @throws as `Identify` says */
  identify(): MaybePromise<Identity>;
  /** Calls `stop` if the client disconnects during a read. */
  whenAbandoned?: ((stop: () => void) => void) | undefined;
  /** Milliseconds left of REQUEST_TIMEOUT, where some of it has gone by before the work began. */
  timeLeft?: number | undefined;
}

/** What the gateway itself asks in the name of a key, which is checked elsewhere. */
export const arrivalOf = ({ identity, ...context }: RequestContext): Arrival => ({
  ...context,
  keyId: identity.keyId,
  identify: () => identity,
});
