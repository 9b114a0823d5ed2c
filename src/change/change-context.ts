import type { Provider } from '../database/migrations/migration-history.js';
import type { Author, ChangeHandlers } from '../model/change.js';
import type { RequestContext } from './context.js';

export type Written = NonNullable<RequestContext['written']>;

/** What all writes of a request share: the provider, the rules and observers, and the author. */
export interface ChangeContext {
  provider: Provider;
  handlers: ChangeHandlers;
  by: Author;
  /** How many records and lines the request has written, and characters of their texts. */
  written: Written;
}

/** The part of a request's context that a write needs. */
export type WriteRequestContext = Pick<
  RequestContext,
  'database' | 'changes' | 'identity' | 'requestId' | 'operationName' | 'written'
>;

export function changeContextOf({
  database,
  changes,
  identity,
  requestId,
  operationName,
  written = { rows: 0, characters: 0 },
}: WriteRequestContext): ChangeContext {
  return {
    provider: database.provider,
    handlers: changes,
    written,
    by: { keyId: identity.keyId, keyName: identity.name, requestId, operation: operationName },
  };
}
