/** Connects the REST handler to HTTP: reads the request, calls `handle`, sends the answer. */
import type { IncomingMessage } from 'node:http';
import { ClientGone, readBody } from '../src/http/body.js';
import type { Enter } from '../src/http/enter.js';
import type { Surface } from '../src/http/listener.js';
import { pathOf } from '../src/http/observe.js';
import { send } from '../src/http/send.js';
import type { Work } from '../src/http/work.js';
import { knownError } from '../src/schema/show-error.js';
import { orElse, whenThere } from '../src/when-there.js';
import { toRestError } from './errors.js';
import type { HandleRest } from './handle.js';
import type { RestRequest } from './response.js';

/** Everything under `/api`. The key is checked before the path and before the body is read. */
export function restEndpoint(handle: HandleRest, enter: Enter, work: Work): Surface {
  return (request, response, visit) => {
    visit.isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer = () =>
      whenThere(enter(request, visit), (context) =>
        whenThere(readBody(request, response), (body) =>
          whenThere(
            work(context, (inner) => handle(restRequest(request, body), inner)),
            (found) => send(response, found, visit),
          ),
        ),
      );

    orElse<void>(answer, (error) => {
      if (error instanceof ClientGone || response.headersSent) return void response.destroy();
      const known = knownError(error);
      if (known.cause !== undefined) visit.log.error({ err: known.cause }, known.message);
      send(response, toRestError(known, { requestId: visit.requestId, accept: request.headers.accept }), visit);
    });
  };
}

function restRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer | undefined): RestRequest {
  const path = pathOf(url);
  const query = url.length > path.length ? new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]) : noQuery;
  return { method, path, query, headers, body };
}

const noQuery = new URLSearchParams();
