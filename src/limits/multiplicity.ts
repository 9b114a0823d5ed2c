import type { GraphQLNamedType } from 'graphql';
import { resources } from '../model/resource.js';

/**
 * How often a selection is answered: once, once for each record of a list, or for the parent of each record. All
 * records of a list may have the same parent, whose lines are then answered again for each of them.
 */
export type Multiplicity = 'once' | 'each' | 'parent of each';

const records: ReadonlySet<string> = new Set(resources.map(({ model }) => model));
export const isRecord = (type: GraphQLNamedType | undefined): boolean => type !== undefined && records.has(type.name);

/** How often the selection inside a field is answered. */
export function reachBelow(reach: Multiplicity, isList: boolean, isParent: boolean): Multiplicity {
  if (reach === 'parent of each') return reach;
  if (isParent && reach === 'each') return 'parent of each';
  return isList ? 'each' : reach;
}
