/** Connects the REST handler to HTTP: reads the request, calls `handle`, sends the answer. */

import { noteOperation } from '../src/change/observation.js';
import { recoverWith, whenResolved } from '../src/common/maybe-promise.js';
import type { NoteCall } from '../src/features/usage/note-call.js';
import { send } from '../src/gateway/http/answer/send.js';
import type { AuthenticateRequest } from '../src/gateway/http/authenticate-request.js';
import type { Surface } from '../src/gateway/http/listener.js';
import { readBody } from '../src/gateway/http/read-body.js';
import { reading, writing } from '../src/gateway/http/reading.js';
import type { RunRequest } from '../src/gateway/http/run-request.js';
import type { HandleRest } from './admit.js';
import { addEndpointHeaders } from './endpoint-headers.js';
import { refuseRest } from './refuse-rest.js';
import { queryOf } from './request/query.js';
import type { FindRoute } from './route.js';

/** Everything under `/api`. The key is checked before the path and before the body is read, and again when it is there. */
export function restEndpoint(
  routeOf: FindRoute,
  handle: HandleRest,
  enter: AuthenticateRequest,
  work: RunRequest,
  noteCall: NoteCall,
): Surface {
  return (request, response, visit) => {
    visit.isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer = () =>
      whenResolved(enter(request, visit), (arrival) => {
        const { method = 'GET', url = '/', headers } = request;
        const { path } = visit;
        const route = routeOf(method === 'HEAD' ? 'GET' : method, path);
        const query = queryOf(url, path);
        addEndpointHeaders(visit.headers, { route, query });
        if (route && 'operation' in route) {
          const { name } = route.operation;
          // Before the body is read, so that this also holds for refused and explained requests and for stored answers.
          noteOperation(visit.observation, { name, kind: visit.isRead ? 'query' : 'mutation' });
          noteCall(name, arrival, { request, visit, query });
        }
        return whenResolved(readBody(request, response), (body) =>
          whenResolved(
            work(arrival, (inner) => {
              const answered = () => handle({ method, route, path, query, headers, body }, inner);
              return visit.isRead ? reading(inner, headers, answered) : writing(inner, visit, answered);
            }),
            (found) => send(response, found, visit),
          ),
        );
      });

    recoverWith<void>(answer, (error) => refuseRest(request, response, visit, error));
  };
}
