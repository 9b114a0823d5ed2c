import { holds } from '../src/access/scopes.js';
import { isJson } from '../src/http/body.js';
import { once } from '../src/idempotency/once.js';
import type { HandleRest } from './handle.js';
import { restOperations } from './operations.js';
import { createRoutes } from './route.js';

const routeOf = createRoutes(restOperations);

/** The same handler, where a POST with an `Idempotency-Key` happens once and its repetitions get its answer again. */
export function oncePerKey(handle: HandleRest): HandleRest {
  return (request, context) => {
    const { 'idempotency-key': key } = request.headers;
    if (request.method !== 'POST' || typeof key !== 'string') return handle(request, context);
    // Nothing is kept of what leads nowhere, of a caller who may not do it, or of a body in another form.
    const route = routeOf(request.method, request.path);
    const operation = route && 'operation' in route ? route.operation : undefined;
    if (!operation?.scopes.every((scope) => holds(context.identity, scope))) return handle(request, context);
    if (operation.takesBody && !isJson(request)) return handle(request, context);
    // Everything the answer depends on, but its form.
    const condition = request.headers['if-match'] ?? '';
    const parts = ['REST', request.path, request.query.toString(), condition, request.body ?? ''];
    return once(context, { key, parts }, async (inner) => {
      const answer = await handle(request, inner);
      return { answer, isFault: answer.status >= 500 };
    });
  };
}
