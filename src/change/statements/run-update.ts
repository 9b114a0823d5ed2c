import type { Procedure, Rows, Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Journaled } from '../entries/journaled.js';
import { withShiftEntries, withUpdateEntries } from '../entries/postgresql-entries.js';
import type { RaiseVersion, Shift } from '../plan.js';
import { mismatchOf, refuseRows } from '../refusals.js';
import { differences } from '../values.js';
import { raiseForeignStatement } from './parent.js';
import { batchesOf, quoted, StatementBuilder } from './statement-builder.js';
import { shiftConditions } from './step-conditions.js';
import { readStored } from './stored-record.js';
import { type Further, type RowUpdate, raised, raising, type Update, updateOne } from './update.js';
import {
  type ChangeColumn,
  changeColumns,
  changesWith,
  conditionsOfMany,
  givenFields,
  rowsTable,
} from './update-rows.js';

interface UpdateOptions {
  isObserved: boolean;
  journaled: Journaled | undefined;
}

/**
 * Runs an update step and returns the id and version of each changed row; rows that already have the values are not
 * written. Undefined if the step raises a version and the row has changed since it was read. @throws NOT_FOUND,
 * VERSION_CONFLICT, INVALID_STATE
 */
export function* runUpdate(
  provider: Provider,
  step: Update,
  at: Date,
  { isObserved, journaled }: UpdateOptions,
): Procedure<Rows | undefined> {
  const { resource, raises } = step;
  if (provider === 'sqlite' && !isObserved && (yield* changesAll(step, at))) return [];
  const changed = new Map<string, Rows[number]>();
  let open = step.rows;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const rows = open.filter(({ values }) => raises || Object.keys(values).length > 0);
    if (rows.length > 0) {
      for (const statement of updateStatements(provider, { ...step, rows }, at, journaled)) {
        for (const row of yield statement) changed.set(String(row[0]), row);
      }
    }
    open = open.filter(({ id }) => !changed.has(id));
    if (open.length === 0) return [...changed.values()];
    if (raises && !open.some(({ locked }) => locked)) return undefined;

    // Locked, so that the state cannot change any more: a row that may be changed now is changed by the second attempt.
    const names = [...new Set(open.flatMap(({ values }) => Object.keys(values)))];
    if (resource.documentLike && !names.includes('status')) names.push('status');
    const among = open.map(({ id }) => id);
    const found = yield* readStored(provider, resource, { by: 'id', among, names, isLocked: true });
    const records = new Map(found.map((record) => [record.id, record]));
    if (raises && !open.some((row) => mismatchOf(row, records.get(row.id)) === 'locked')) return undefined;
    refuseRows(step, open, records);
    open = open.filter(({ id, values }) => Object.keys(differences(records.get(id)?.values ?? {}, values)).length > 0);
    if (open.length === 0) return [...changed.values()];
  }
  // Another transaction was there in between: the whole mutation is repeated.
  throw Object.assign(new Error(`${resource.model} ${open[0]?.id} was not changed and nothing says why`), {
    code: '40001',
  });
}

/** Raises the version of a plan's document. Undefined if it is gone, or has changed since its lines were read, or is not known. */
export function* raiseVersion(
  provider: Provider,
  step: RaiseVersion,
  at: Date,
  options: UpdateOptions,
): Procedure<Rows | undefined> {
  const { parent, version, locked } = step;
  const { id, resource } = parent;
  if (id === undefined) return undefined;
  if (resource) return yield* runUpdate(provider, raising(resource, { id, version, locked }), at, options);
  const raised = yield raiseForeignStatement(provider, step);
  return raised.length > 0 ? raised : undefined;
}

/**
 * Updates many rows on SQLite, and says whether all of them have changed. Counting them takes half as long as returning
 * them. Only for rows without conditions: of those, the ones that have changed are found by reading them.
 */
function* changesAll(step: Update, at: Date): Procedure<boolean> {
  const { rows } = step;
  const isPlain = rows.every(({ values, version, statuses, locked }) => {
    return Object.keys(values).length > 0 && version == null && !statuses && !locked;
  });
  if (rows.length < 2 || !isPlain) return false;
  let count = 0;
  for (const statement of updateStatements('sqlite', step, at, 'nothing returned')) {
    const [counted] = yield { ...statement, isCounted: true };
    count += Number(counted?.[0]);
  }
  return count === rows.length;
}

/** UPDATE of many rows of one table, each in its own way, with one statement. */

/**
 * The statements return the id and new version of each changed row, unless `journaled` says that nothing is returned.
 * `now` is the time of the change. With `journaled` they write their entries too, and return the time of the change as
 * text.
 */
function* updateStatements(
  provider: Provider,
  update: Update,
  now: Date,
  journaled: Journaled | 'nothing returned' | undefined,
): Generator<Statement> {
  const { rows } = update;
  const [first] = rows;
  const columns = changeColumns(update);
  const isOne = rows.length === 1 && first !== undefined;
  const table = quoted(update.resource.model);
  for (const part of isOne ? [rows] : batchesOf(provider, rows, columns.length)) {
    const text = new StatementBuilder(provider);
    const write = (further?: Further) =>
      isOne ? updateOne(text, update, first, now, further) : updateMany(text, update, columns, part, now, further);
    if (journaled === 'nothing returned') yield text.statement(write());
    else if (journaled) yield text.statement(withUpdateEntries(text, journaled, { ...update, rows: part }, write));
    else yield text.statement(`${write()} RETURNING ${table}."id", ${table}."version"`);
  }
}

function updateMany(
  text: StatementBuilder,
  { resource }: Update,
  columns: readonly ChangeColumn[],
  rows: readonly RowUpdate[],
  now: Date,
  { from, condition }: Further = {},
): string {
  const table = quoted(resource.model);
  const isLite = text.provider === 'sqlite';
  const head = isLite ? `WITH ${changesWith(text, 'change', columns, rows)} ` : '';
  const sources = [isLite ? '"change"' : rowsTable(text, 'change', columns, rows), ...(from ? [from] : [])];
  const set = givenFields(table, 'change', columns).map(({ name, given }) =>
    given
      ? `"${name}" = CASE WHEN "change"."${given}" THEN "change"."${name}" ELSE ${table}."${name}" END`
      : `"${name}" = "change"."${name}"`,
  );
  const conditions = [
    ...conditionsOfMany(table, 'change', columns, rows[0]?.locked),
    ...(condition ? [condition] : []),
  ];
  const assignments = [...set, ...raised(text, resource, now)].join(', ');
  return `${head}UPDATE ${table} SET ${assignments} FROM ${sources.join(', ')} WHERE ${conditions.join(' AND ')}`;
}

/** Opens or closes a gap among the lines of a parent. A line shows its position, so its version rises. */

/** Returns the id, position and version of each line after the shift. */
export function shiftStatement(provider: Provider, shift: Shift, journaled: Journaled | undefined): Statement {
  const { resource, by } = shift;
  const text = new StatementBuilder(provider);
  const write =
    `UPDATE "${resource.model}" SET "idx" = "idx" + ${by}, "version" = "version" + 1 ` +
    `WHERE ${shiftConditions(text, shift)} RETURNING "id", "idx", "version"`;
  return text.statement(journaled ? withShiftEntries(text, journaled, shift, write) : write);
}
