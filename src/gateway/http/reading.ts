/**
 * Makes reads from standbys include what a client has seen. The answer to a mutation has the position of the primary in
 * the header `Read-After`; a request that sends it back reads nothing older, whichever gateway answers it. Requests
 * with the same key to the same gateway need no header.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../../change/context.js';
import type { MaybePromise } from '../../common/maybe-promise.js';
import type { RequestState } from './request-state.js';

export const readAfterHeader = 'Read-After';

type Work<Result> = () => MaybePromise<Result>;

/** Does the work of a query; `context` is of this request alone. */
export function reading<Result>(
  context: RequestContext,
  { 'read-after': after }: IncomingHttpHeaders,
  work: Work<Result>,
): MaybePromise<Result> {
  const { database, identity, deadline } = context;
  const { standbys, read: primary } = database;
  if (standbys && primary) {
    const read = standbys.readerFor(identity.keyId, after === undefined ? undefined : String(after), primary);
    context.standby = (sql, values, reach) => {
      const rows = read(sql, values, reach, deadline);
      return deadline?.statements?.noted(sql, rows) ?? rows;
    };
  }
  return work();
}

/**
 * Does the work of a mutation. Whatever its outcome is, even a refusal or a stored answer, it shows the present state
 * of a record, so later reads must see nothing older.
 */
export function writing<Result>(
  context: RequestContext,
  visit: RequestState,
  work: Work<Result>,
): MaybePromise<Result> {
  const { database, identity } = context;
  const { standbys } = database;
  if (!standbys) return work();
  const addPosition = async () => {
    visit.headers.push(readAfterHeader, await standbys.written(identity.keyId));
  };
  return (async () => {
    try {
      return await work();
    } finally {
      await addPosition();
    }
  })();
}
