/**
 * Submits, cancels, changes or deletes many records, each by itself: one that is refused is rolled back alone, and the others
 * are kept. All of it is one transaction, so that what is kept with it, such as the answer to a repeated request, tells the truth.
 */
import { attempted, type Procedure, type Rows } from '../../common/work.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { largestBatch, mostLookedThrough } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { type Condition, conditionSql, everything, groundOf, leavesOf } from '../../query/condition.js';
import type { ChangeContext, WriteRequestContext } from '../context.js';
import { seenPart } from '../limit-plan.js';
import { dryRun, runWrite, type WriteProcedure } from '../perform.js';
import { boundSql } from '../statements/conditions.js';
import { readStored } from '../statements/stored-record.js';

export interface ManyRequest {
  /** The records by their ids, each once, or by a condition that they fulfil. */
  chosen: { ids: readonly string[] } | { where: Condition };
  /** Only records with later ids. */
  after?: string | undefined;
  /** The change of one of them. */
  writeOf(id: string): WriteProcedure<unknown>;
  /** Whether nothing is to be kept. */
  isTried: boolean;
  /** Whether to count how many fulfil the condition. */
  isCounted: boolean;
}

export interface ManyResults {
  /** How many there are behind `after`, as far as they were counted. */
  matching: number;
  /** In the order of the ids. */
  results: ManyResult[];
  /** The last id that was looked at, if there may be more. */
  moreAfter: string | undefined;
}

export interface ManyResult {
  id: string;
  /** Where it was done, and the record is still there. */
  version?: number | undefined;
  /** Why it was not done. */
  refusal?: GatewayError | undefined;
}

/** @throws QUERY_TOO_COMPLEX if the first record alone exceeds what the request may still write */
export const actOnMany = (
  context: WriteRequestContext,
  resource: Resource,
  request: ManyRequest,
): Promise<ManyResults> =>
  (request.isTried ? dryRun : runWrite)(context, (writing) => actOnEach(writing, resource, request));

function* actOnEach(writing: ChangeContext, resource: Resource, request: ManyRequest): Procedure<ManyResults> {
  const { chosen, after, isTried, isCounted } = request;
  const { found, lookedTo } =
    'ids' in chosen
      ? { found: chosen.ids.filter((id) => after === undefined || id > after).sort() }
      : yield* matching(writing, resource, chosen.where, after, isCounted ? mostLookedThrough : largestBatch + 1);
  const page = found.slice(0, largestBatch);
  const standing = yield* standingAmong(writing, resource, page, 'where' in chosen ? chosen.where : undefined);
  const results: ManyResult[] = [];
  let last: string | undefined;
  for (const id of page) {
    const write = request.writeOf(id);
    const isThere = standing.has(id);
    const refusal = isThere ? yield* attempted(write(writing), refusalIn) : errors.notFound(resource.title, id);
    if (refusal?.code === tooMuch) {
      if (last === undefined) throw refusal;
      break;
    }
    last = id;
    // One that has ceased to fulfil the condition is none of them.
    if (isThere || 'ids' in chosen) results.push({ id, refusal });
  }
  const done = results.filter(({ refusal }) => !refusal);
  const ids = isTried ? [] : done.map(({ id }) => id);
  const versions = yield* versionsAmong(writing, resource, ids);
  for (const result of done) result.version = versions.get(result.id);
  return {
    matching: 'ids' in chosen ? standing.size : found.length,
    results,
    moreAfter: last === found.at(-1) ? lookedTo : last,
  };
}

/**
 * The first ids behind another one of records that fulfil a condition, and up to which record was looked, if there are more. Other
 * writers wait meanwhile, so a call goes through so many records and no more, however large the table is, and the fewer the more they
 * are compared with.
 */
function* matching(
  writing: ChangeContext,
  resource: Resource,
  where: Condition,
  after: string | undefined,
  most: number,
): Procedure<{ found: string[]; lookedTo?: string | undefined }> {
  const found: string[] = [];
  let lookedTo: string | undefined = after ?? '';
  const mostLooked = mostLookedThrough / Math.max(1, leavesOf(where).length / cheapComparisons);
  for (let looked = 0; looked < mostLooked && found.length < most; looked += atOnce) {
    const text = new StatementBuilder(writing.provider);
    const sql = `SELECT "id" FROM "${resource.model}" WHERE "id" > ${text.bind(lookedTo)} ORDER BY "id" LIMIT ${atOnce}`;
    // Of those that the caller sees, because it is told the last one.
    const rows: Rows = yield seenPart(writing, text.statement(sql));
    const part = rows.map(([id]) => String(id));
    found.push(...(yield* versionsAmong(writing, resource, part, where)).keys());
    lookedTo = part[atOnce - 1];
    if (lookedTo === undefined) break;
  }
  return { found, lookedTo };
}

/** The comparisons that a record may take before fewer are looked through. */
const cheapComparisons = 4;

/** How many are looked at between the turns of others: SQLite searches in the process that serves all requests. */
const atOnce = 2_000;

/** Those that are there and fulfil a condition. They remain such: they are locked, where SQLite has one writer at a time. */
function* standingAmong(
  writing: ChangeContext,
  resource: Resource,
  among: readonly string[],
  where: Condition | undefined,
): Procedure<ReadonlyMap<string, number>> {
  const seen = yield* versionsAmong(writing, resource, among, where);
  if (writing.provider === 'sqlite' || seen.size === 0) return seen;
  // Not one that the caller does not see: to wait for it would tell that it is there.
  const locked = [...seen.keys()];
  yield* readStored(writing.provider, resource, { by: 'id', among: locked, names: [], isLocked: true });
  return yield* versionsAmong(writing, resource, locked, where);
}

function* versionsAmong(
  writing: ChangeContext,
  resource: Resource,
  among: readonly string[],
  where: Condition = everything,
): Procedure<ReadonlyMap<string, number>> {
  if (among.length === 0) return new Map();
  const text = new StatementBuilder(writing.provider);
  const asked = text.bind(JSON.stringify(among));
  // SQLite joins in this order only, and so never looks through all that another index finds.
  const source =
    text.provider === 'sqlite'
      ? `json_each(${asked}) AS asked CROSS JOIN`
      : `json_array_elements_text(${asked}::json) AS asked (value) JOIN`;
  const join = `${source} "${resource.model}" AS t0 ON t0."id" = asked.value`;
  const sql = `SELECT t0."id", t0."version" FROM ${join} WHERE ${boundSql(text, conditionSql(where, groundOf()))} ORDER BY t0."id"`;
  const found = yield seenPart(writing, text.statement(sql));
  return new Map(found.map(([id, version]) => [String(id), Number(version)]));
}

const refusalIn = (error: unknown): GatewayError | undefined =>
  error instanceof GatewayError && refusals.has(error.code) ? error : undefined;

const tooMuch = 'QUERY_TOO_COMPLEX';

/** What concerns one record and not the others. */
const refusals: ReadonlySet<string> = new Set([
  ...['NOT_FOUND', 'FORBIDDEN', 'INVALID_STATE', 'VERSION_CONFLICT', 'BAD_USER_INPUT'],
  tooMuch,
]);
