import type { ServedFeature } from '../../gateway/feature.js';
import { idempotencyErrors, performer } from './run-idempotently.js';
import { startSweeping } from './sweep.js';

/** What a gateway that serves does with an `Idempotency-Key`. */
export const servedIdempotency: ServedFeature = {
  errors: idempotencyErrors,
  ofRecords: ['Idempotency-Key'],
  join: () => ({ performer }),
  start: startSweeping,
};
