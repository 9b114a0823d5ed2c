/** The history of a document: its arguments, and how it is read. */
import type { RequestContext } from '../../../context.js';
import { createSerialQueue, type RunInTurn } from '../../../database/queues/serial-queue.js';
import { errors } from '../../../errors/errors.js';
import { historyOf } from '../../../journal/history.js';
import { defaultPageSize, largestPageSize } from '../../../model/limits.js';
import type { Resource } from '../../../model/resource.js';
import { constrained } from '../../inputs/constraint.js';
import { perBuilder } from '../../per-builder.js';
import type { History } from './history-types.js';

export const historyArguments = perBuilder((builder) =>
  builder.args((t) => ({
    first: t.int(constrained({ minimum: 1, maximum: largestPageSize })),
    after: t.string(),
  })),
);

interface HistoryArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** Each request reads one page after the other, so that what they hold is counted before the next is read. */
const readings = new WeakMap<RequestContext, RunInTurn>();

/**
 * `upTo` is the version with which it begins, by default the newest. @throws BAD_USER_INPUT for a cursor of something else, at
 * once: so such errors are counted before the next field is asked
 */
export function readHistory(
  context: RequestContext,
  resource: Resource,
  id: string,
  { first, after }: HistoryArguments,
  upTo?: unknown,
): Promise<History> {
  if (after != null && !/^\d{1,9}$/.test(after)) throw argumentProblem('after', 'is not a cursor of this history');
  const end = typeof upTo === 'number' ? upTo + 1 : undefined;
  const cursor = after == null ? end : Number(after);
  const before = cursor !== undefined && end !== undefined ? Math.min(cursor, end) : cursor;
  const inTurn = readings.get(context) ?? createSerialQueue();
  readings.set(context, inTurn);
  return inTurn(async () => ({
    ...(await historyOf(context.database, resource, id, { first: first ?? defaultPageSize, before })),
    document: { resource, id },
    isFirst: before === end,
  }));
}

export const argumentProblem = (argument: string, message: string): Error =>
  errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
