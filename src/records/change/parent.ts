/**
 * The parent of lines. Every change of lines first raises the parent's version, which serialises the writers of one
 * parent's lines. A parent that is not stored here has a row in `ForeignParent` for this while it has lines.
 */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Problem } from '../../errors.js';
import { isIdOf, type Resource } from '../../model/resource.js';
import type { Procedure, Statement } from '../../work.js';
import { scopeOf } from '../scope.js';
import { unknownParent } from './refusals.js';
import { StatementBuilder } from './statement-builder.js';
import { updateOne } from './update.js';

export interface Parent {
  id: string;
  /** Undefined for a parent that is not stored here. */
  resource: Resource | undefined;
  /** 0 for a foreign parent without a row. */
  version: number;
}

export interface RaiseVersion {
  kind: 'raise';
  parent: Pick<Parent, 'id' | 'resource'>;
  /** The version at which the parent's lines were read; undefined if any version will do. */
  version?: number | null | undefined;
}

/** A parent without which the line cannot be created. */
export interface RequiredParent {
  line: Resource;
  id: string;
  /** The input path of the id, for the problem that names it. */
  path: Problem['path'];
}

/**
 * Keeps the lines as they were read until the answer is read, where nothing is to be written. Without it another
 * transaction could change or delete them in between.
 */
export interface LockParent {
  kind: 'lock';
  parent: Parent;
}

/**
 * Deletes the row of a foreign parent together with its last line. It stays while there are lines of another type:
 * created again with version 1, it could have the version at which somebody has read those lines before.
 */
export interface ForgetParent {
  kind: 'forget';
  /** The type of that line. */
  line: Resource;
  parent: Pick<Parent, 'id' | 'resource'>;
}

/** The record type of a parent: by the type of the line, or else by the parent's id. */
export function parentResource(child: Resource, id: string): Resource | undefined {
  return (requiredParent(child) ?? child.parents.find(({ resource }) => isIdOf(resource, id)))?.resource;
}

/** The relation to the parent of lines whose parent must exist; undefined for lines that may belong to any record. */
export const requiredParent = (child: Resource) => child.parents.find(({ reference }) => reference === scopeOf(child));

/** The parent in its current state; undefined if it must exist and does not. */
export function* parentOf(
  provider: Provider,
  child: Resource,
  id: string,
  isLocked: boolean,
): Procedure<Parent | undefined> {
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

export const foreignParents = 'ForeignParent';

function* versionIn(provider: Provider, table: string, id: string, isLocked: boolean): Procedure<number | undefined> {
  const text = new StatementBuilder(provider);
  const sql = `SELECT "version" FROM "${table}" WHERE "id" = ${text.bind(id)}${isLocked ? text.locked : ''}`;
  const [row] = yield text.statement(sql);
  return row && Number(row[0]);
}

/** Returns the new version; no row if the parent is gone or has another version. */
export function raiseVersionStatement(
  provider: Provider,
  { parent: { id, resource }, version }: RaiseVersion,
  now: Date,
): Statement {
  const text = new StatementBuilder(provider);
  if (resource) {
    const update = { kind: 'update', resource, rows: [], action: 'update', raises: true } as const;
    return text.statement(`${updateOne(text, update, { id, values: {}, version }, now)} RETURNING "version"`);
  }
  const insert = `INSERT INTO "${foreignParents}" ("id") VALUES (${text.bind(id)}) ON CONFLICT ("id") DO UPDATE`;
  const condition = version === undefined ? '' : ` WHERE "${foreignParents}"."version" = ${text.bind(version)}`;
  return text.statement(`${insert} SET "version" = "${foreignParents}"."version" + 1${condition} RETURNING "version"`);
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
