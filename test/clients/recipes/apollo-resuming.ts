import { ApolloLink, ServerError } from '@apollo/client';
import { defer, EMPTY, filter, repeat, retry, tap, throwError, timer } from 'rxjs';

/**
 * Subscribes again, behind the last event, wherever a stream ends. Every subscription declares `$after`, and selects `position`
 * and `notice`. Of the notices it hands on those after which a list is to be read: the first `OPENED`, and `TOO_OLD`.
 */
export const resuming = new ApolloLink((operation, forward) => {
  if (operation.operationType !== 'subscription') return forward(operation);
  let isOpen = false;
  let isRefused = false;
  const begin = defer(() => forward(operation)).pipe(
    filter(({ data, errors = [] }) => Boolean(data) || !errors.some(({ extensions }) => mayPass(extensions?.code))),
    tap(({ data }) => {
      const event = eventOf(data);
      // Without an event, the operation or its key is refused.
      isRefused = !event;
      if (event) operation.variables = { ...operation.variables, after: event.position };
    }),
    filter(({ data }) => {
      const { notice } = eventOf(data) ?? {};
      const isTold = notice !== 'CLOSING' && !(notice === 'OPENED' && isOpen);
      isOpen = true;
      return isTold;
    }),
  );
  return begin.pipe(
    retry({ delay: (error) => (isFinal(error) ? throwError(() => error) : soon()) }),
    repeat({ delay: () => (isRefused ? EMPTY : soon()) }),
  );
});

const eventOf = (data: object | null | undefined) => Object.values(data ?? {})[0];

/** Not all at the same time: many pages may have lost the same gateway. */
const soon = () => timer(1_000 + 1_000 * Math.random());

/** Whether it can help to ask again. */
const mayPass = (code: unknown): boolean =>
  ['RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT', 'INTERNAL_SERVER_ERROR'].includes(String(code));

/** Whether something between here and the gateway has refused, such as a proxy. */
const isFinal = (error: unknown): boolean =>
  ServerError.is(error) && error.statusCode < 500 && error.statusCode !== 429;
