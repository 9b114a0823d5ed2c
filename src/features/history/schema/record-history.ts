/** The history of a document: its arguments, and how it is read. */
import type { RequestContext } from '../../../change/context.js';
import { createSerialQueue, type RunInTurn } from '../../../database/queues/serial-queue.js';
import { constrained } from '../../../graphql/inputs/constraint.js';
import { perBuilder } from '../../../graphql/per-builder.js';
import { errors } from '../../../model/errors/errors.js';
import { largestPageSize } from '../../../model/limits.js';
import type { Resource } from '../../../model/resource.js';
import { extentOf } from '../../../query/extent.js';
import { historyOf } from '../history.js';
import type { History } from './history-types.js';

export const historyArguments = perBuilder((builder) =>
  builder.args((t) => ({
    first: t.int(constrained({ minimum: 0, maximum: largestPageSize })),
    after: t.string(),
    last: t.int(constrained({ minimum: 0, maximum: largestPageSize })),
    before: t.string(),
  })),
);

interface HistoryArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
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
  given: HistoryArguments,
  upTo?: unknown,
): Promise<History> {
  const [after, above] = [cursorIn(given, 'after'), cursorIn(given, 'before')];
  const end = typeof upTo === 'number' ? upTo + 1 : undefined;
  const below = after !== undefined && end !== undefined ? Math.min(after, end) : (after ?? end);
  const { size, backwards, head, isOpen } = extentOf(given);
  const inTurn = readings.get(context) ?? createSerialQueue();
  readings.set(context, inTurn);
  return inTurn(async () => {
    const page = await historyOf(context.database, resource, id, { size, backwards, head, below, above });
    const hasNewer = page.hasNewer || (isOpen && !backwards && below !== end);
    return { ...page, hasNewer, document: { resource, id }, isBounded: below !== end || above !== undefined };
  });
}

/** The revision in a cursor. @throws BAD_USER_INPUT */
function cursorIn(given: HistoryArguments, argument: 'after' | 'before'): number | undefined {
  const cursor = given[argument];
  if (cursor == null) return undefined;
  if (!/^\d{1,9}$/.test(cursor)) throw argumentProblem(argument, 'is not a cursor of this history');
  return Number(cursor);
}

export const argumentProblem = (argument: string, message: string): Error =>
  errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
