import { Router } from 'express';
import type { Database } from '../database/open.js';
import { visitOf } from './visit.js';

/**
 * `GET /healthz`: 200 for as long as the process answers. `GET /readyz`: 200 while requests are welcome, 503 while the
 * database does not answer or the process is draining. Neither needs a key nor tells anything else.
 */
export function health(database: Database, isDraining: () => boolean): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });

  router.get('/readyz', async (request, response) => {
    if (isDraining()) {
      response.status(503).json({ status: 'draining' });
      return;
    }
    try {
      await database.ping();
      response.json({ status: 'ok' });
    } catch (error) {
      visitOf(request).log.warn({ err: error }, 'the database does not answer');
      response.status(503).json({ status: 'database_unavailable' });
    }
  });
  return router;
}
