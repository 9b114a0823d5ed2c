/** The type of a line's parent, and where the version of a parent is kept that is not stored here. */
import { isIdOf, type Resource } from '../model/resource.js';
import { scopeOf } from '../query/scope.js';

/** The record type of a parent: by the type of the line, or else by the parent's id. */
export function parentResource(child: Resource, id: string): Resource | undefined {
  return (requiredParent(child) ?? child.parents.find(({ resource }) => isIdOf(resource, id)))?.resource;
}

/** The relation to the parent of lines whose parent must exist; undefined for lines that may belong to any record. */
export const requiredParent = (child: Resource) => child.parents.find(({ reference }) => reference === scopeOf(child));

export const foreignParents = 'ForeignParent';
