/** Requests with an `Idempotency-Key` are executed once, and their repetitions get the stored answers. */
import type { Feature } from '../../gateway/feature.js';

export const idempotency: Feature = {
  name: 'idempotency',
  served: async () => (await import('./run-idempotently.js')).servedIdempotency,
};
