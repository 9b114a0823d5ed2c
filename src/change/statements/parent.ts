/**
 * The parent of lines. Every change of lines first raises the parent's version, which serialises the writers of one
 * parent's lines. A parent that is not stored here has a row in `ForeignParent` for this while it has lines.
 */

import type { Procedure, Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import type { Resource } from '../../model/resource.js';
import { scopeOf } from '../../query/scope.js';
import type { ForgetParent, LockParent, ParentState, RaiseVersion, RequiredParent } from '../plan.js';
import { foreignParents, parentResource, requiredParent, unknownParent } from '../refusals.js';

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
export function raiseForeignStatement(provider: Provider, { parent: { id }, version }: RaiseVersion): Statement {
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
export function lockParentStatement(
  provider: Provider,
  { parent: { id, resource, version } }: LockParent,
): Statement | undefined {
  if (provider === 'sqlite' || version === 0) return undefined;
  const text = new StatementBuilder(provider);
  const table = resource?.model ?? foreignParents;
  const condition = `"id" = ${text.bind(id)} AND "version" = ${text.bind(version)}`;
  return text.statement(`SELECT "version" FROM "${table}" WHERE ${condition}${text.locked}`);
}

export function forgetParentStatement(provider: Provider, { parent: { id }, line }: ForgetParent): Statement {
  const text = new StatementBuilder(provider);
  const conditions = [`"id" = ${text.bind(id)}`];
  for (const child of line.lineTypesOfAnyRecord) {
    conditions.push(`NOT EXISTS (SELECT 1 FROM "${child.model}" WHERE "${scopeOf(child)}" = ${text.bind(id)})`);
  }
  return text.statement(`DELETE FROM "${foreignParents}" WHERE ${conditions.join(' AND ')}`);
}
