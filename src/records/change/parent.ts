/**
 * The parent of lines. Every change of lines raises its version first, so that writers of the lines of one parent take turns.
 * A parent that we do not hold has a row in `ForeignParent` for that, as long as it has lines here.
 */
import type { Provider } from '../../database/migration-history.js';
import { type Resource, resourceOfId } from '../../model/resource.js';
import type { Statement, Work } from '../../work.js';
import { scopeOf } from '../scope.js';
import { Text } from './text.js';
import { updateOne } from './update.js';

export interface Parent {
  id: string;
  /** Undefined where it is not ours. */
  resource: Resource | undefined;
  /** 0 of a foreign parent that has no row. */
  version: number;
}

export interface Raise {
  kind: 'raise';
  parent: Pick<Parent, 'id' | 'resource'>;
  /** The version it must have: that at which its lines were read. Any will do where they were not. */
  version?: number | null | undefined;
}

/** Takes the row of a foreign parent away with its last line. Lines of another kind make it anew. */
export interface Forget {
  kind: 'forget';
  parent: Pick<Parent, 'id' | 'resource'>;
}

/** The record that lines of the type belong to: by what it must be, or by what its id says. */
export function parentResource(child: Resource, id: string): Resource | undefined {
  return (requiredParent(child) ?? child.parents.find(({ resource }) => resource === resourceOfId(id)))?.resource;
}

/** Lines of most types have a parent that must be there; the others may have any. */
export const requiredParent = (child: Resource) => child.parents.find(({ reference }) => reference === scopeOf(child));

/** The parent as it is; undefined where it must be there and is not. */
export function* parentOf(
  provider: Provider,
  child: Resource,
  id: string,
  isLocked: boolean,
): Work<Parent | undefined> {
  const resource = parentResource(child, id);
  const version = resource && (yield* versionIn(provider, resource.model, id, isLocked));
  if (version != null) return { id, resource, version };
  if (requiredParent(child)) return undefined;
  return { id, resource: undefined, version: (yield* versionIn(provider, foreignParents, id, isLocked)) ?? 0 };
}

export const foreignParents = 'ForeignParent';

function* versionIn(provider: Provider, table: string, id: string, isLocked: boolean): Work<number | undefined> {
  const text = new Text(provider);
  const sql = `SELECT "version" FROM "${table}" WHERE "id" = ${text.bind(id)}${isLocked ? text.locked : ''}`;
  const [row] = yield text.statement(sql);
  return row && Number(row[0]);
}

/** Answers the new version; nothing where the parent is gone or at another version. */
export function raiseStatement(provider: Provider, { parent: { id, resource }, version }: Raise, now: Date): Statement {
  const text = new Text(provider);
  if (resource) {
    const update = { kind: 'update', resource, rows: [], action: 'update', raises: true } as const;
    return text.statement(`${updateOne(text, update, { id, values: {}, version }, now)} RETURNING "version"`);
  }
  const insert = `INSERT INTO "${foreignParents}" ("id") VALUES (${text.bind(id)}) ON CONFLICT ("id") DO UPDATE`;
  const condition = version === undefined ? '' : ` WHERE "${foreignParents}"."version" = ${text.bind(version)}`;
  return text.statement(`${insert} SET "version" = "${foreignParents}"."version" + 1${condition} RETURNING "version"`);
}

export function forgetStatement(provider: Provider, { parent: { id } }: Forget): Statement {
  const text = new Text(provider);
  return text.statement(`DELETE FROM "${foreignParents}" WHERE "id" = ${text.bind(id)}`);
}
