import { randomUUID } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import { type Arrival, arrivalOf } from '../../change/arrival.js';
import type { RequestContext } from '../../change/context.js';
import type { MaybePromise } from '../../common/maybe-promise.js';
import { Seal } from '../../common/seal.js';
import { PayloadUnreadable, type ReadPayload } from '../../features/webhooks/delivery/message.js';
import type { Admission } from '../../graphql/operation/admission.js';
import { DocumentRefused } from '../../graphql/operation/trusted-documents.js';
import { knownError } from '../../graphql/shown-errors/show-error.js';
import { errors } from '../../model/errors/errors.js';
import type { Joined } from '../feature.js';
import type { Execute, OperationResult } from './executor.js';

/** The longest JSON of a record in a message, in bytes. */
export const largestPayload = 256 * 1024;

interface PayloadParts {
  admission: Admission;
  admitted: Required<Joined>['admitted'];
  execute: Execute;
  /** What the operations of all requests share. */
  context: Pick<RequestContext, 'database' | 'changes' | 'log'>;
  /** Executes it like the operation of a request: bounded in time, and refused while the gateway has too much to do. */
  work<Result>(arrival: Arrival, perform: (context: RequestContext) => MaybePromise<Result>): MaybePromise<Result>;
}

/** Reads what the message of a webhook holds of a record: an operation like any other, with the scopes of a key. */
export function createReadPayload({ admission, admitted, execute, context, work }: PayloadParts): ReadPayload {
  return async (query, id, { keyId, name, scopes }) => {
    const requestId = randomUUID();
    // No answer is stored for a replay, so nothing that is sealed has to be opened again.
    const identity = { keyId, name, scopes, seal: new Seal(requestId) };
    let result: OperationResult;
    try {
      result = await work(arrivalOf({ ...context, identity, requestId }), (inner) => {
        const operation = admission.fromRequest({ query, variables: { id } }, false);
        admitted(keyId, operation, { 'user-agent': 'webhook' });
        return execute(operation, { ...inner, answerLimit: largestPayload });
      });
    } catch (error) {
      if (error instanceof DocumentRefused) {
        return { error: { code: 'GRAPHQL_VALIDATION_FAILED', message: error.errors[0]?.message ?? error.message } };
      }
      return returnedOrThrown(knownError(error));
    }
    // Errors of this call pass through unchanged.
    const payload = recordIn(result);
    const isTooLarge = 'json' in payload && Buffer.byteLength(payload.json) > largestPayload;
    return isTooLarge ? returnedOrThrown(errors.answerTooLarge(largestPayload)) : payload;
  };
}

function recordIn(result: OperationResult): Awaited<ReturnType<ReadPayload>> {
  if ('data' in result) return { json: 'null' };
  if ('result' in result) {
    const [error] = result.result.errors ?? [];
    return error ? returnedOrThrown(asKnown(error)) : { json: JSON.stringify(result.result.data?.record ?? null) };
  }
  const [field] = result.fields;
  if (!field) return { json: 'null' };
  if ('error' in field) return returnedOrThrown(asKnown(field.error));
  return { json: Buffer.from(field.text, 'latin1').toString('utf8') };
}

const asKnown = ({ message, extensions }: GraphQLError) => ({ code: String(extensions.code), message });

/** Throws an error that may be gone at the next attempt, so that there is one. Returns any other. */
function returnedOrThrown({ code, message }: { code: string; message: string }) {
  if (code === 'UNAVAILABLE') throw new Error(`The payload: ${message}`);
  if (code === 'TIMEOUT' || code === 'INTERNAL_SERVER_ERROR') throw new PayloadUnreadable({ code, message });
  return { error: { code, message } };
}
