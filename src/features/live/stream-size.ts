/** A stream keeps its operation and variables for as long as it lasts, so they have to be small. */

import type { Subscription } from '../../graphql/operation/admission.js';
import { errors } from '../../model/errors/errors.js';

/** Characters of the operation and of its variables as JSON. */
export const largestStream = 20_000;

/** @throws BAD_USER_INPUT */
export function requireSmall({ document, root }: Subscription): void {
  const size = (document.loc?.source.body.length ?? 0) + JSON.stringify(root.variables).length;
  if (size <= largestStream) return;
  const message = `may be ${largestStream} characters long at most in a stream, with the operation; these are ${size}`;
  throw errors.badInput([{ path: ['variables'], code: 'parameter_invalid', message }]);
}
