/** The thin HTTP edge of the REST surface: reads the request, hands it to `handle`, writes the answer. */
import type { RequestListener } from 'node:http';
import { ClientGone, readBody } from '../src/http/body.js';
import type { Enter } from '../src/http/enter.js';
import { pathOf, visitOf } from '../src/http/observe.js';
import { send } from '../src/http/send.js';
import type { Work } from '../src/http/work.js';
import { knownError } from '../src/schema/show-error.js';
import { toRestError } from './errors.js';
import type { HandleRest } from './handle.js';

/** Everything under `/api`. The key is checked before the path is looked at or the body read (document 5). */
export function restEndpoint(handle: HandleRest, enter: Enter, work: Work): RequestListener {
  return async (request, response) => {
    const { headers, method = 'GET', url = '/' } = request;
    try {
      const context = await enter(request, response);
      const path = pathOf(url);
      const query = new URLSearchParams(url.length > path.length ? /\?([^#]*)/.exec(url)?.[1] : undefined);
      const body = await readBody(request, response);
      send(response, await work(context, (inner) => handle({ method, path, query, headers, body }, inner)));
    } catch (error) {
      if (error instanceof ClientGone || response.headersSent) return void response.destroy();
      const known = knownError(error);
      const { log, requestId } = visitOf(request);
      if (known.cause !== undefined) log.error({ err: known.cause }, known.message);
      send(response, toRestError(known, { requestId, accept: headers.accept }));
    }
  };
}
