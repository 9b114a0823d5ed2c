/** The thin Express edge of the REST surface: reads the request, hands it to `handle`, writes the answer. */
import { Router } from 'express';
import { GatewayError } from '../src/errors.js';
import { ClientGone, readBody } from '../src/http/body.js';
import type { Enter } from '../src/http/enter.js';
import { visitOf } from '../src/http/observe.js';
import { send } from '../src/http/send.js';
import { toRestError } from './errors.js';
import type { HandleRest } from './handle.js';
import type { RestResponse } from './response.js';

/** Everything under `/api`. The key is checked before the path is looked at or the body read (document 5). */
export function restRouter(handle: HandleRest, enter: Enter): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(async (request, response) => {
    const { headers, method } = request;
    const path = request.baseUrl + request.path;
    const query = new URLSearchParams(/\?([^#]*)/.exec(request.originalUrl)?.[1]);
    let answer: RestResponse;
    try {
      const context = await enter(request);
      const body = await readBody(request, response);
      answer = await handle({ method, path, query, headers, body }, context);
    } catch (error) {
      if (error instanceof ClientGone) return;
      if (!(error instanceof GatewayError)) throw error;
      answer = toRestError(error, { requestId: visitOf(request).requestId, accept: headers.accept });
    }
    send(response, answer);
  });
  return router;
}
