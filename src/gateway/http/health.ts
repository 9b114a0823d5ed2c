import { type RequestHandler, Router } from 'express';
import type { OpenedDatabase } from '../../database/open-database.js';
import { visitOf } from './visit.js';

/**
 * `GET /healthz`: 200 while the process runs. `GET /readyz`: 200 while the gateway accepts requests, 503 while the
 * database does not answer or the process is draining. Neither needs a key.
 */
export function health(database: Pick<OpenedDatabase, 'ping'>, isDraining: () => boolean): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', readyz(database, isDraining));
  return router;
}

/** Milliseconds for which one answer of the database is reused. */
const goodFor = 1000;

/**
 * These requests need no key, so the database is pinged at most once a second, however many arrive. The draining state
 * is read for each request.
 */
function readyz(database: Pick<OpenedDatabase, 'ping'>, isDraining: () => boolean): RequestHandler {
  let answer: Promise<boolean> | undefined;

  return async (request, response) => {
    if (!isDraining()) {
      answer ??= database
        .ping()
        .then(
          () => true,
          (error) => {
            visitOf(request).log.warn({ err: error }, 'the database does not answer');
            return false;
          },
        )
        .finally(() => {
          setTimeout(() => {
            answer = undefined;
          }, goodFor).unref();
        });
      const isThere = await answer;
      if (!isDraining()) {
        response.status(isThere ? 200 : 503).json({ status: isThere ? 'ok' : 'database_unavailable' });
        return;
      }
    }
    response.status(503).json({ status: 'draining' });
  };
}
