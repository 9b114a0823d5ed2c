/** Reads the current state of records within the transaction that changes them. */
import type { Procedure, Rows, Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import type { Values } from '../../model/change.js';
import type { FieldType } from '../../model/field.js';
import { type Resource, scopeOf } from '../../model/resource.js';
import type { ForgetParent, LockParent, ParentState, RaiseVersion, RequiredParent } from '../plan.js';
import { foreignParents, parentResource, requiredParent, unknownParent } from '../refusals.js';
import type { StoredRecord } from '../values.js';

interface Reading {
  /** The column to find records by, and its possible values. */
  by: string;
  among: readonly string[];
  names: readonly string[];
  /** Whether to lock the records until the transaction ends. */
  isLocked: boolean;
}

/** Ordered by id, so that transactions that lock several records do so in the same order and cannot deadlock. */
export function* readStored(
  provider: Provider,
  resource: Resource,
  { by, among, names, isLocked }: Reading,
): Procedure<StoredRecord[]> {
  const text = new StatementBuilder(provider);
  const [only] = among;
  const condition = among.length === 1 ? `= ${text.bind(only)}` : text.among(among);
  const columns = ['id', 'version', ...names].map((name) => `"${name}"`).join(', ');
  const lock = isLocked ? text.locked : '';
  const found = yield text.statement(
    `SELECT ${columns} FROM "${resource.model}" WHERE "${by}" ${condition} ORDER BY "id"${lock}`,
  );
  return found.map(storedRecordReader(resource, names));
}

/** Converts a row whose columns from `start` on are id, version and fields. */
export function storedRecordReader(
  { fields }: Resource,
  names: readonly string[],
  start = 0,
): (row: Rows[number]) => StoredRecord {
  const columns = names.map((name, index) => ({
    name,
    place: start + 2 + index,
    type: fields.find((field) => field.name === name)?.type,
  }));
  return (row) => {
    const values: Values = {};
    for (const { name, place, type } of columns) values[name] = fieldValue(row[place], type);
    return { id: String(row[start]), version: Number(row[start + 1]), values };
  };
}

/** A column's value as the API returns it; drivers return booleans and integers in several forms. */
function fieldValue(cell: unknown, type: FieldType | undefined): unknown {
  if (cell === null || cell === undefined) return null;
  if (type === 'Boolean') return cell === true || Number(cell) === 1;
  return type === 'String' || type === undefined ? String(cell) : Number(cell);
}

// The parent of lines. Every change of lines first raises the parent's version, which serialises the writers of one
// parent's lines. A parent that is not stored here has a row in `ForeignParent` for this while it has lines.

/** The parent in its current state; undefined if it must exist and does not. */
export function* parentOf(
  provider: Provider,
  child: Resource,
  id: string,
  isLocked: boolean,
): Procedure<ParentState | undefined> {
  const resource = parentResource(child, id);
  const version = resource && (yield* versionIn(provider, resource.model, id, isLocked));
  if (version != null) return { id, resource, version };
  if (requiredParent(child)) return undefined;
  return { id, resource: undefined, version: (yield* versionIn(provider, foreignParents, id, isLocked)) ?? 0 };
}

/** Locks the parent. @throws BAD_USER_INPUT if there is none */
export function* requireParent(provider: Provider, { line, id, path }: RequiredParent): Procedure<void> {
  const parent = requiredParent(line);
  if (parent && !(yield* parentOf(provider, line, id, true))) throw unknownParent(parent.resource, id, path);
}

function* versionIn(provider: Provider, table: string, id: string, isLocked: boolean): Procedure<number | undefined> {
  const text = new StatementBuilder(provider);
  const sql = `SELECT "version" FROM "${table}" WHERE "id" = ${text.bind(id)}${isLocked ? text.locked : ''}`;
  const [row] = yield text.statement(sql);
  return row && Number(row[0]);
}

/** Raises the version of a foreign parent. Returns its id and new version; no row if it has another version. */
export function raiseForeignStatement(provider: Provider, { id, version }: RaiseVersion): Statement {
  const text = new StatementBuilder(provider);
  const insert = `INSERT INTO "${foreignParents}" ("id") VALUES (${text.bind(id)}) ON CONFLICT ("id") DO UPDATE`;
  const condition = version === undefined ? '' : ` WHERE "${foreignParents}"."version" = ${text.bind(version)}`;
  return text.statement(
    `${insert} SET "version" = "${foreignParents}"."version" + 1${condition} RETURNING "id", "version"`,
  );
}

/**
 * Returns no row if the parent is gone or has another version. Undefined if there is nothing to lock: on SQLite, which
 * has one writer at a time, and for a foreign parent without a row.
 */
export function lockParentStatement(provider: Provider, { id, resource, version }: LockParent): Statement | undefined {
  if (provider === 'sqlite' || version === 0) return undefined;
  const text = new StatementBuilder(provider);
  const table = resource?.model ?? foreignParents;
  const condition = `"id" = ${text.bind(id)} AND "version" = ${text.bind(version)}`;
  return text.statement(`SELECT "version" FROM "${table}" WHERE ${condition}${text.locked}`);
}

export function forgetParentStatement(provider: Provider, { id, line }: ForgetParent): Statement {
  const text = new StatementBuilder(provider);
  const conditions = [`"id" = ${text.bind(id)}`];
  for (const child of line.lineTypesOfAnyRecord) {
    conditions.push(`NOT EXISTS (SELECT 1 FROM "${child.model}" WHERE "${scopeOf(child)}" = ${text.bind(id)})`);
  }
  return text.statement(`DELETE FROM "${foreignParents}" WHERE ${conditions.join(' AND ')}`);
}
