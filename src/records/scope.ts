/** How lines belong together. */
import type { Resource } from '../model/resource.js';

/** The column by which the lines of one parent belong together. */
export function scopeOf({ scope, model }: Resource): string {
  if (!scope) throw new Error(`${model} is no child: it has no parent to order it by`);
  return scope;
}

/** What a line's parent is called; in general terms where it may be any record, ours or not. */
export const parentTitle = (child: Resource): string =>
  child.parents.find(({ reference }) => reference === child.scope)?.resource.title ?? 'record they belong to';
