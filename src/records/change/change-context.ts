import type { RequestContext } from '../../context.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Author, ChangeHandlers } from '../../model/change.js';

/** What all writes of a request share: the provider, the rules and observers, and the author. */
export interface ChangeContext {
  provider: Provider;
  handlers: ChangeHandlers;
  by: Author;
}

/** The part of a request's context that a write needs. */
export type WriteRequestContext = Pick<
  RequestContext,
  'database' | 'changes' | 'identity' | 'requestId' | 'operationName'
>;

export function changeContextOf({
  database,
  changes,
  identity,
  requestId,
  operationName,
}: WriteRequestContext): ChangeContext {
  return {
    provider: database.provider,
    handlers: changes,
    by: { keyId: identity.keyId, keyName: identity.name, requestId, operation: operationName },
  };
}
