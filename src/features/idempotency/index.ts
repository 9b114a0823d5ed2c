/** Requests with an `Idempotency-Key` are executed once, and their repetitions get the stored answers. */
import type { Feature } from '../../gateway/feature.js';

export const idempotency: Feature = {
  name: 'idempotency',
  served: async () => {
    const { header, keyIn, runIdempotently, storedAnswer } = await import('./run-idempotently.js');
    const { startSweeping } = await import('./sweep.js');
    const performer = { header, check: keyIn, perform: runIdempotently, answered: storedAnswer };
    return { join: () => ({ performer }), start: startSweeping };
  },
};
