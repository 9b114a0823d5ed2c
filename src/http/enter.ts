import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { createAuthenticator } from '../access/authenticate.js';
import { keepLastUse } from '../access/last-use.js';
import type { RequestContext } from '../context.js';
import type { Database } from '../database/open.js';
import { visitOf } from './observe.js';

/** The context of a request whose key is good; throws what `createAuthenticator` throws. Reads nothing but a header. */
export type Enter = (request: IncomingMessage) => Promise<RequestContext>;

/** The one door of both surfaces (document 5). */
export function createDoor(database: Database, log: Logger): Enter {
  const authenticate = createAuthenticator(database, keepLastUse(database, log));
  return async (request) => {
    const visit = visitOf(request);
    const identity = await authenticate(request.headers.authorization);
    visit.keyId = identity.keyId;
    return { database, identity, requestId: visit.requestId, log: visit.log };
  };
}
