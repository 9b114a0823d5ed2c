/** Conditions that follow links. Links may lead to other areas, and Prisma does not know them. */
import type { Link, Resource } from '../model/resource.js';
import type { Where } from './delegate.js';
import { conditionOf, type Filter } from './filter.js';

/** The types to which the condition follows links, at any depth. */
export function linkedIn(resource: Resource, where: Where): Set<Resource> {
  const found = new Set<Resource>();
  visit(resource, where, ({ link }) => link && found.add(link.resource));
  return found;
}

/** The same for a filter. */
export const linkedByFilter = (resource: Resource, filter: Filter | null | undefined): Set<Resource> =>
  linkedIn(resource, conditionOf(resource, filter));

/**
 * The condition that the text of a link is `named`, written so that an index finds it. For undefined it is never true.
 */
export const namingWhere = ({ text }: Link, named: unknown): Where =>
  named === undefined ? { id: { in: [] } } : { AND: [{ [text]: named }, { [text]: { short: true } }] };

/** Whether only `conditionSql` can write a condition. */
export function isForSql(resource: Resource, where: Where): boolean {
  let isFound = false;
  visit(resource, where, ({ link, value }) => {
    isFound ||= link !== undefined || 'short' in value;
  });
  return isFound;
}

/** A field in a condition, or what leads to other records. */
interface Part {
  value: object;
  /** Given if the field is that of a link. */
  link: Link | undefined;
}

function visit(resource: Resource, where: unknown, onPart: (part: Part) => void): void {
  if (typeof where !== 'object' || where === null) return;
  for (const [name, value] of Object.entries(where)) {
    if (name === 'AND' || name === 'OR') {
      for (const each of Array.isArray(value) ? value : [value]) visit(resource, each, onPart);
      continue;
    }
    if (typeof value !== 'object' || value === null) continue;
    const link = resource.links.find(({ field }) => field === name);
    onPart({ value, link });
    const to = link ?? [...resource.lines, ...resource.parents].find(({ field }) => field === name);
    if (to) for (const condition of Object.values(value)) visit(to.resource, condition, onPart);
  }
}
