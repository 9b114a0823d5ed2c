import type { HandleRest } from '../../../rest/admit.js';
import { isJson } from '../../gateway/http/read-body.js';
import { hasScope } from '../../model/scopes.js';
import { runIdempotently } from './run-idempotently.js';

/**
 * Wraps the handler so that a POST with an `Idempotency-Key` is executed once, and its repetitions get the stored
 * answer.
 */
export function oncePerKey(handle: HandleRest): HandleRest {
  return (request, context) => {
    const { 'idempotency-key': key } = request.headers;
    if (request.method !== 'POST' || typeof key !== 'string') return handle(request, context);
    // Answers are not stored for unknown paths, for callers without the required scope, or for unsupported media types.
    const { route } = request;
    const operation = route && 'operation' in route ? route.operation : undefined;
    if (!operation?.scopes.every((scope) => hasScope(context.identity, scope))) return handle(request, context);
    if (operation.body && !isJson(request)) return handle(request, context);
    // Everything the answer depends on, except its media type.
    const condition = request.headers['if-match'] ?? '';
    const parts = ['REST', request.path, request.query.toString(), condition, request.body ?? ''];
    return runIdempotently(context, { key, parts }, async (inner) => {
      const answer = await handle(request, inner);
      return { answer, isFault: answer.status >= 500 };
    });
  };
}
