import type { RequestContext } from '../../context.js';
import type { Provider } from '../../database/migration-history.js';
import type { Author, ChangeHandlers } from '../../model/change.js';

/** What every write of a request has in common: the database it is written for, who looks at it, and who makes it. */
export interface Writing {
  provider: Provider;
  handlers: ChangeHandlers;
  by: Author;
}

/** What a write needs of its request. */
export type WriteContext = Pick<RequestContext, 'database' | 'changes' | 'identity' | 'requestId'>;

export function writingOf({ database, changes, identity, requestId }: WriteContext): Writing {
  return {
    provider: database.provider,
    handlers: changes,
    by: { keyId: identity.keyId, keyName: identity.name, requestId },
  };
}
