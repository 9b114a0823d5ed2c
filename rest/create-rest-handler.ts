/**
 * The REST interface as a function from a request to a response. Each request becomes the GraphQL operation of its
 * endpoint, and is admitted and executed like an operation of `/graphql`.
 */

import { whenResolved } from '../src/common/maybe-promise.js';
import type { Execute } from '../src/gateway/execution/executor.js';
import { type AdmitRest, answeringErrors, type HandleRest } from './admit.js';
import { successResponse } from './success-response.js';

/** Performs the operations of requests. */
export const createRestHandler = (admit: AdmitRest, execute: Execute): HandleRest =>
  answeringErrors((request, context) => {
    const admitted = admit(request, context);
    if ('status' in admitted) return admitted;
    const { endpoint, operation, variables } = admitted;
    return whenResolved(execute(operation, context), (outcome) =>
      successResponse(endpoint, outcome, variables, request, context),
    );
  });
