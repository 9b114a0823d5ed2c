import type { GraphQLError } from 'graphql';
import type { OperationResult } from '../../../gateway/execution/executor.js';
import type { RunningGateway } from '../../../gateway/feature.js';
import { DocumentRefused } from '../../../graphql/operation/trusted-documents.js';
import { knownError } from '../../../graphql/shown-errors/show-error.js';
import { errors } from '../../../model/errors/errors.js';
import { PayloadUnreadable, type ReadPayload } from './message.js';

/** The longest JSON of a record in a message, in bytes. */
export const largestPayload = 256 * 1024;

/** Reads what the message of a webhook holds of a record: an operation like any other, with the scopes of a key. */
export function createReadPayload(operate: RunningGateway['operate']): ReadPayload {
  return async (query, id, identity) => {
    let result: OperationResult;
    try {
      result = await operate({ query, variables: { id }, identity, agent: 'webhook', answerLimit: largestPayload });
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
