/**
 * UPDATE of rows of one table. The condition is part of the statement, so exactly one of several concurrent writers
 * wins. A row that already has the values is not written and keeps its version.
 */
import type { Procedure, Rows, Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { batchesOf, StatementBuilder } from '../../database/statement-builder.js';
import type { Resource } from '../../model/resource.js';
import type { Journaled } from '../entries/entry-sql.js';
import { withShiftEntries, withUpdateEntries } from '../entries/postgresql-entries.js';
import { type RaiseVersion, type RowUpdate, raising, type Shift, type Stamp, type Update } from '../plan.js';
import { decidingColumns, mismatchOf, overtaken, refuseRows } from '../refusals.js';
import { differences } from '../values.js';
import {
  allowedOfMany,
  type ChangeTable,
  changeTable,
  conditionsOfOne,
  type Further,
  raisedSql,
  shiftConditions,
} from './conditions.js';
import { raiseForeignStatement, readStored } from './stored-record.js';

/** How a step is run. */
export interface StepContext extends Stamp {
  provider: Provider;
  /** Whether observers need the rows that have changed. */
  isObserved: boolean;
  /** On PostgreSQL, where each statement writes its entries itself. */
  journaled: Journaled | undefined;
}

/**
 * Runs an update step and returns the id and version of each changed row; rows that already have the values are not
 * written. Undefined if the step raises a version and the row has changed since it was read. @throws NOT_FOUND,
 * VERSION_CONFLICT, INVALID_STATE
 */
export function* runUpdate(running: StepContext, step: Update): Procedure<Rows | undefined> {
  const { provider } = running;
  const { resource, raises, locked, allowed } = step;
  if (provider === 'sqlite' && !running.isObserved && (yield* changesAll(running, step))) return [];
  const changed = new Map<string, Rows[number]>();
  let open = step.rows;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const rows = open.filter(({ values }) => raises || Object.keys(values).length > 0);
    for (const statement of updateStatements(running, { ...step, rows })) {
      for (const row of yield statement) changed.set(String(row[0]), row);
    }
    open = open.filter(({ id }) => !changed.has(id));
    if (open.length === 0) return [...changed.values()];
    if (raises && !locked && !allowed) return undefined;

    // Locked, so that the state cannot change any more: a row that may be changed now is changed by the second attempt.
    const asked = open.flatMap(({ values }) => Object.keys(values));
    const names = [...new Set([...asked, ...decidingColumns(resource, allowed)])];
    const among = open.map(({ id }) => id);
    const found = yield* readStored(provider, resource, { by: 'id', among, names, isLocked: true });
    const records = new Map(found.map((record) => [record.id, record]));
    const reasons = open.map((row) => mismatchOf(row, records.get(row.id), step));
    if (raises && !reasons.some((reason) => reason === 'locked' || reason === 'forbidden')) return undefined;
    refuseRows(step, open, found);
    open = open.filter(({ id, values }) => Object.keys(differences(records.get(id)?.values ?? {}, values)).length > 0);
    if (open.length === 0) return [...changed.values()];
  }
  throw overtaken(resource, open[0]?.id, 'changed');
}

/** Raises the version of a plan's document. Undefined if it is gone, or has changed since its lines were read, or is not known. */
export function* raiseVersion(running: StepContext, step: RaiseVersion): Procedure<Rows | undefined> {
  const { id, resource, version } = step;
  if (id === undefined) return undefined;
  if (resource) return yield* runUpdate(running, raising(resource, { id, version }, step));
  const raised = yield raiseForeignStatement(running.provider, step);
  return raised.length > 0 ? raised : undefined;
}

/**
 * Updates many rows on SQLite, and says whether all of them have changed. Counting them takes half as long as returning
 * them. Only for rows without conditions: of those, the ones that have changed are found by reading them.
 */
function* changesAll(running: StepContext, step: Update): Procedure<boolean> {
  const { rows, locked } = step;
  const isPlain = rows.every(({ values, version, statuses }) => {
    return Object.keys(values).length > 0 && version == null && !statuses;
  });
  if (rows.length < 2 || locked || !isPlain) return false;
  let count = 0;
  for (const statement of updateStatements(running, step, true)) {
    const [counted] = yield { isCounted: true, ...statement };
    count += Number(counted?.[0]);
  }
  return count === rows.length;
}

/**
 * The statements return the id and new version of each changed row, unless they are only counted. Where they write their entries
 * too, they also return the time of the change as text.
 */
function* updateStatements(
  running: StepContext,
  update: Update,
  isCounted = false,
): Generator<ReturnType<StatementBuilder['statement']>> {
  const { provider, journaled } = running;
  const { resource, rows } = update;
  const [first, ...others] = rows;
  if (!first) return;
  const table = others.length > 0 ? changeTable(update) : undefined;
  for (const part of table ? batchesOf(provider, rows, table.columns.length) : [rows]) {
    const text = new StatementBuilder(provider);
    const write = (further?: Further) =>
      table
        ? updateMany(text, update, table, part, running, further)
        : updateOne(text, update, first, running, further);
    if (journaled) yield text.statement(withUpdateEntries(text, journaled, { ...update, rows: part }, write));
    else
      yield text.statement(
        isCounted ? write() : `${write()} RETURNING "${resource.model}"."id", "${resource.model}"."version"`,
      );
  }
}

/** The statement for one row, without RETURNING. */
export function updateOne(
  text: StatementBuilder,
  update: Update,
  row: RowUpdate,
  stamp: Stamp,
  further: Further = {},
): string {
  const { resource } = update;
  const set = Object.entries(row.values).map(
    ([name, value]) => `"${name}" = ${text.bindColumn(resource.model, name, value)}`,
  );
  for (const [name, value] of Object.entries(row.becomes ?? {})) {
    if (value !== undefined) set.push(`"${name}" = ${text.bind(value)}`);
  }
  if (!row.becomes) set.push(...raised(text, resource, stamp));
  return updateText(resource, set, [], conditionsOfOne(text, update, row, further.id), further);
}

function updateMany(
  text: StatementBuilder,
  update: Update,
  { columns, fields, conditions }: ChangeTable,
  rows: readonly RowUpdate[],
  stamp: Stamp,
  further?: Further,
): string {
  const { resource } = update;
  const set = fields.map(({ field, value }) => `"${field.name}" = ${value}`);
  set.push(...raised(text, resource, stamp));
  const table = text.table('change', columns, rows);
  return updateText(resource, set, [table], [...conditions, ...allowedOfMany(text, update)], further);
}

function updateText(
  { model }: Resource,
  set: readonly string[],
  tables: readonly string[],
  conditions: readonly string[],
  { from, condition }: Further = {},
): string {
  const sources = from ? [...tables, from] : tables;
  const source = sources.length > 0 ? ` FROM ${sources.join(', ')}` : '';
  const all = condition ? [...conditions, condition] : conditions;
  return `UPDATE "${model}" SET ${set.join(', ')}${source} WHERE ${all.join(' AND ')}`;
}

function raised(text: StatementBuilder, { model, timestamps }: Resource, { at, by }: Stamp): string[] {
  const { version, updatedAt } = raisedSql(text, model, at);
  const raise = `"version" = ${version}`;
  if (!timestamps) return [raise];
  return [`"updatedAt" = ${updatedAt()}`, `"updatedBy" = ${text.bindColumn(model, 'updatedBy', by)}`, raise];
}

/**
 * Opens or closes a gap among the lines of a parent. A line shows its position, so its version rises. Returns the id, position
 * and version of each line after the shift.
 */
export function shiftStatement({ provider, journaled }: StepContext, shift: Shift): Statement {
  const { resource, by } = shift;
  const text = new StatementBuilder(provider);
  const write =
    `UPDATE "${resource.model}" SET "idx" = "idx" + ${by}, "version" = "version" + 1 ` +
    `WHERE ${shiftConditions(text, shift)} RETURNING "id", "idx", "version"`;
  return text.statement(journaled ? withShiftEntries(text, journaled, shift, write) : write);
}
