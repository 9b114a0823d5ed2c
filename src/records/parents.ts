/** How a line finds its parent, and holds it still while the lines move. */
import { errors, type Problem } from '../errors.js';
import { type Resource, resourceOfId } from '../model/resource.js';
import { type Client, delegate, type Values } from './delegate.js';
import { touchValues } from './values.js';

/** The column by which the lines of one parent belong together. */
export function scopeOf({ scope, model }: Resource): string {
  if (!scope) throw new Error(`${model} is no child: it has no parent to order it by`);
  return scope;
}

/** What a line's parent is called; in general terms where it may be any record, ours or not. */
export const parentTitle = (child: Resource): string =>
  child.parents.find(({ reference }) => reference === child.scope)?.resource.title ?? 'record they belong to';

/**
 * Raises the version of the line's parent, so that writers of its lines take turns. Returns the gateway's own columns
 * that tie the line to it. Throws what `missing` says where the parent must exist and does not.
 */
export async function claimParent(
  tx: Client,
  child: Resource,
  parentId: string,
  missing: (parent: Resource) => Error,
): Promise<Values> {
  const scope = scopeOf(child);
  const required = child.parents.find(({ reference }) => reference === scope);
  if (required) {
    if (await touch(tx, required.resource, parentId)) return {};
    throw missing(required.resource);
  }
  const link = child.parents.find(({ resource }) => resource === resourceOfId(parentId));
  if (link && (await touch(tx, link.resource, parentId))) return { [link.reference]: parentId };
  await touchForeign(tx, parentId);
  return {};
}

/**
 * Removes what `claimParent` keeps of a parent we do not hold, once it has no lines of this kind. Lines of another kind
 * may have the same parent: the next to claim it then makes its row anew.
 */
export async function forgetParent(tx: Client, child: Resource, parentId: string): Promise<void> {
  const isOurs = child.parents.some(({ reference }) => reference === scopeOf(child));
  if (!isOurs) await tx.foreignParent.deleteMany({ where: { id: parentId } });
}

/** The error for an input value at `path` that names a parent which is not there. */
export const unknownParent =
  (path: Problem['path'], parentId: string) =>
  ({ title }: Resource): Error =>
    errors.badInput([
      {
        path,
        code: 'resource_missing',
        message: `names no ${title}: there is none with the id ${JSON.stringify(parentId)}`,
      },
    ]);

async function touch(tx: Client, parent: Resource, id: string): Promise<boolean> {
  const { count } = await delegate(tx, parent).updateMany({ where: { id }, data: touchValues(parent) });
  return count === 1;
}

async function touchForeign(tx: Client, id: string): Promise<void> {
  await tx.foreignParent.upsert({
    where: { id },
    create: { id },
    update: { version: { increment: 1 } },
  });
}
