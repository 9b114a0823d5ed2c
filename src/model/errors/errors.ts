import { accessErrors } from './access-errors.js';
import { availabilityErrors } from './availability-errors.js';
import { faultErrors } from './fault-errors.js';
import { idempotencyErrors } from './idempotency-errors.js';
import { inputErrors } from './input-errors.js';
import { recordErrors } from './record-errors.js';
import { requestErrors } from './request-errors.js';
import { sizeErrors } from './size-errors.js';

/**
 * The catalogue of all errors that callers may see. Everything throws a `GatewayError`; `/graphql` shows its `code` and
 * `details` as `extensions`, and `rest/errors.ts` converts them to a status and a body. Any other exception is a fault
 * of the server: it is logged and masked.
 *
 * The errors are made in the files beside this one, by subject.
 */
export const errors = {
  ...accessErrors,
  ...requestErrors,
  ...inputErrors,
  ...recordErrors,
  ...idempotencyErrors,
  ...sizeErrors,
  ...availabilityErrors,
  ...faultErrors,
};
