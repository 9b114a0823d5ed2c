import type { GraphQLNamedType } from 'graphql';

/**
 * How often a selection is answered: once, once for each record of a list, or for the parent of each record. All
 * records of a list may have the same parent, whose lines are then answered again for each of them.
 */
export type Multiplicity = 'once' | 'each' | 'parent of each';

/** Whether the type is that of a record: `typeOfRecord` marks it. */
export const isRecord = (type: GraphQLNamedType | undefined): boolean => type?.extensions.record !== undefined;

/** How often the selection inside a field is answered. */
export function reachBelow(reach: Multiplicity, isList: boolean, isParent: boolean): Multiplicity {
  if (reach === 'parent of each') return reach;
  if (isParent && reach === 'each') return 'parent of each';
  return isList ? 'each' : reach;
}
