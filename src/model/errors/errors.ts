import { accessErrors } from './access-errors.js';
import { availabilityErrors } from './availability-errors.js';
import { inputErrors } from './input-errors.js';
import { recordErrors } from './record-errors.js';
import { requestErrors } from './request-errors.js';
import { sizeErrors } from './size-errors.js';

/**
 * The catalogue of the errors that callers may see; those of a feature are in its folder. Everything throws a `GatewayError`;
 * `/graphql` shows its `code` and `details` as `extensions`, and `rest/errors.ts` converts them to a body. Status and headers are
 * those of its row (`error-rows.ts`). Any other exception is a fault of the server: it is logged and masked.
 *
 * The errors are made in the files beside this one, by subject.
 */
export const errors = {
  ...accessErrors,
  ...requestErrors,
  ...inputErrors,
  ...recordErrors,
  ...sizeErrors,
  ...availabilityErrors,
};
