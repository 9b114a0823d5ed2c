/** Why a record cannot be shown as it was. */
import type { ApiErrors } from '../../gateway/api.js';
import { invalidRequest, refusal } from '../../model/errors/error-rows.js';
import { errorTable, GatewayError } from '../../model/errors/gateway-error.js';

const rows = errorTable({
  history_incomplete: {
    ...invalidRequest,
    code: 'HISTORY_INCOMPLETE',
    status: 410,
    details: { knownFrom: 'text' },
  },
});

/**
 * The journal does not have every change of a record since an instant or a version. `knownFrom` is the earliest instant at which the
 * record is known; undefined if there is none.
 */
export const historyIncomplete = (title: string, at: Date | number, knownFrom?: Date): GatewayError =>
  new GatewayError(
    'history_incomplete',
    rows.history_incomplete,
    `It is not known what this ${title} was ${typeof at === 'number' ? `in version ${at}` : `at ${at.toISOString()}`}: changes that were made since then are no longer kept, or were made while the journal was turned off. ${knownFrom ? `Ask for ${knownFrom.toISOString()} or later.` : 'No earlier instant is known either.'}`,
    knownFrom && { knownFrom: knownFrom.toISOString() },
  );

/** A record as it was cannot be found, because more was changed since then than is undone for one answer. */
export const tooManyChanges = (limit: number, bytes: number): GatewayError =>
  refusal(
    'query_too_complex',
    `More was changed since then than is undone for one answer: ${limit} changes of the record and its lines, or ${bytes} bytes of values. Ask for a later instant, or for fewer lists of lines.`,
    { measure: 'changes', limit },
  );

/** Conditions and orders of lines of the past take more comparisons than one request may make. */
export const tooManyComparisons = (limit: number): GatewayError =>
  refusal(
    'query_too_complex',
    `The conditions and orders of lines as they were take more than ${limit} comparisons. Ask with fewer of them, or of fewer records.`,
    { measure: 'comparisons', limit },
  );

export const historyErrors: ApiErrors = {
  after: 'not_acceptable',
  rows,
  example: historyIncomplete('Asset Repair', new Date('2025-01-31T09:30:00Z'), new Date('2025-06-01T00:00:00Z')),
};
