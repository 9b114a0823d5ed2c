/**
 * Submits, cancels, changes or deletes many records, each by itself: one that is refused is rolled back alone, and the others
 * are kept. All of it is one transaction, so that what is kept with it, such as the answer to a repeated request, tells the truth.
 */
import { attempted, type Procedure, rows } from '../../common/work.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { largestBatch, mostMatchesCounted } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { type Condition, conditionSql, everything, groundOf } from '../../query/condition.js';
import { dialects } from '../../query/sql/dialect.js';
import type { ChangeContext, WriteRequestContext } from '../context.js';
import { seenPart } from '../limit-plan.js';
import { dryRun, runWrite, type WriteProcedure } from '../perform.js';
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
  /** The last id that was looked at, if there are more. */
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
  const found =
    'ids' in chosen
      ? chosen.ids.filter((id) => after === undefined || id > after).sort()
      : yield* matching(writing, resource, chosen.where, after, isCounted ? mostMatchesCounted : largestBatch + 1);
  const page = found.slice(0, largestBatch);
  const standing = yield* standingAmong(writing, resource, page, 'where' in chosen ? chosen.where : everything);
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
  const versions = isTried ? undefined : yield* versionsAmong(writing, resource, idsOf(done), everything);
  for (const result of done) result.version = versions?.get(result.id);
  return {
    matching: 'ids' in chosen ? standing.size : found.length,
    results,
    moreAfter: last === found.at(-1) ? undefined : last,
  };
}

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

// Which records there are to act on, of those that the caller sees.

/** The first ids behind another one of records that fulfil a condition. */
function* matching(
  writing: ChangeContext,
  resource: Resource,
  where: Condition,
  after: string | undefined,
  most: number,
): Procedure<string[]> {
  const found: string[] = [];
  let from: string | undefined = after ?? '';
  while (from !== undefined && found.length < most) {
    const part: string[] | undefined = writing.provider === 'sqlite' ? yield* partBehind(resource, from) : undefined;
    const text = new StatementBuilder(writing.provider);
    const source = sourceOf(text, resource, part);
    const beyond = part ? '' : ` AND t0."id" > ${text.bind(from)}`;
    const condition = `${bound(text, conditionSql(where, groundOf()))}${beyond}`;
    const sql = `SELECT t0."id" FROM ${source} WHERE ${condition} ORDER BY t0."id" LIMIT ${most - found.length}`;
    for (const [id] of yield seenPart(writing, text.statement(sql))) found.push(String(id));
    from = part && part.length === rowsOfPart ? part.at(-1) : undefined;
  }
  return found;
}

/**
 * SQLite searches in the process that serves all requests, and for its only writer: so it goes through a large table by parts,
 * between which others have turns. They are parts of the table itself, of which nobody is told.
 */
const rowsOfPart = 2_000;

function* partBehind({ model }: Resource, from: string): Procedure<string[]> {
  const found = yield* rows(`SELECT "id" FROM "${model}" WHERE "id" > ?1 ORDER BY "id" LIMIT ${rowsOfPart}`, [from]);
  return found.map(([id]) => String(id));
}

/** The table, or the records of these ids. SQLite joins in this order only, and so never looks through all that another index finds. */
function sourceOf(text: StatementBuilder, { model }: Resource, among: readonly string[] | undefined): string {
  if (!among) return `"${model}" AS t0`;
  const asked = text.bind(JSON.stringify(among));
  return text.provider === 'sqlite'
    ? `json_each(${asked}) AS asked CROSS JOIN "${model}" AS t0 ON t0."id" = asked.value`
    : `json_array_elements_text(${asked}::json) AS asked (value) JOIN "${model}" AS t0 ON t0."id" = asked.value`;
}

/** Those that are there and fulfil a condition. They remain such: they are locked, where SQLite has one writer at a time. */
function* standingAmong(
  writing: ChangeContext,
  resource: Resource,
  among: readonly string[],
  where: Condition,
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
  where: Condition,
): Procedure<ReadonlyMap<string, number>> {
  if (among.length === 0) return new Map();
  const text = new StatementBuilder(writing.provider);
  const source = sourceOf(text, resource, among);
  const sql = `SELECT t0."id", t0."version" FROM ${source} WHERE ${bound(text, conditionSql(where, groundOf()))}`;
  const found = yield seenPart(writing, text.statement(sql));
  return new Map(found.map(([id, version]) => [String(id), Number(version)]));
}

function bound(text: StatementBuilder, { strings, values }: ReturnType<typeof conditionSql>): string {
  const { stored } = dialects[text.provider];
  return strings.reduce((before, behind, place) => before + text.bind(stored(values[place - 1])) + behind);
}

const refusalIn = (error: unknown): GatewayError | undefined =>
  error instanceof GatewayError && refusals.has(error.code) ? error : undefined;

const tooMuch = 'QUERY_TOO_COMPLEX';

/** What concerns one record and not the others. */
const refusals: ReadonlySet<string> = new Set([
  ...['NOT_FOUND', 'FORBIDDEN', 'INVALID_STATE', 'VERSION_CONFLICT', 'BAD_USER_INPUT'],
  tooMuch,
]);
