/** Requests with an `Idempotency-Key` are executed once, and their repetitions get the stored answers. */
import type { Feature } from '../../gateway/feature.js';

export const idempotency: Feature = {
  name: 'idempotency',
  served: async () => {
    const { idempotencyErrors: errors, performer } = await import('./run-idempotently.js');
    const { startSweeping } = await import('./sweep.js');
    return { errors, ofRecords: ['Idempotency-Key'], join: () => ({ performer }), start: startSweeping };
  },
};
