import { once } from '../src/idempotency/once.js';
import type { HandleRest } from './handle.js';

/** The same handler, where a POST with an `Idempotency-Key` happens once and its repetitions get its answer again. */
export function oncePerKey(handle: HandleRest): HandleRest {
  return (request, context) => {
    const { 'idempotency-key': key } = request.headers;
    if (request.method !== 'POST' || typeof key !== 'string') return handle(request, context);
    const parts = ['REST', request.path, request.query.toString(), request.body ?? ''];
    return once(context, { key, parts }, async (inner) => {
      const answer = await handle(request, inner);
      return { answer, isFault: answer.status >= 500 };
    });
  };
}
