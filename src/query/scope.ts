/** What the lines of one parent have in common. */
import type { Resource } from '../model/resource.js';

/** The column that identifies the lines of one parent. */
export function scopeOf({ scope, model }: Resource): string {
  if (!scope) throw new Error(`${model} is no child: it has no parent to order it by`);
  return scope;
}

/** The title of a line's parent; a general one if it may be any record. */
export const parentTitle = (child: Resource): string =>
  child.parents.find(({ reference }) => reference === child.scope)?.resource.title ?? 'record they belong to';
