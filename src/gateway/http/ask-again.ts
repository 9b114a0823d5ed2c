import { type MaybePromise, recoverWith } from '../../common/maybe-promise.js';
import { GatewayError } from '../../model/errors/gateway-error.js';

/** Milliseconds between two questions. A cached key is answered at once, and asking for it costs next to nothing. */
const askedEvery = 500;

/**
 * Asks for the key of a request again and again while it is worked on, and calls `end` with the refusal once it does not
 * count any more. While the database does not answer, only the time of the request counts, and all questions wait for one look-up. Returns what ends the asking.
 */
export function askAgain(identify: () => MaybePromise<unknown>, end: (refusal: Error) => void): () => void {
  const timer = setInterval(
    () =>
      recoverWith<unknown>(identify, (error) => {
        if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED') end(error);
      }),
    askedEvery,
  );
  return () => clearInterval(timer);
}
