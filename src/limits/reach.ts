import type { GraphQLNamedType } from 'graphql';
import { resources } from '../model/resource.js';

/**
 * How a selection is reached: once, for each record of a list, or for the parent of each. Records of a list may all have
 * the same parent, whose lines are then answered as many times as there are records.
 */
export type Reach = 'once' | 'each' | 'parent of each';

const records: ReadonlySet<string> = new Set(resources.map(({ model }) => model));
export const isRecord = (type: GraphQLNamedType | undefined): boolean => type !== undefined && records.has(type.name);

/** How what a field holds is reached. */
export function reachBelow(reach: Reach, isList: boolean, isParent: boolean): Reach {
  if (reach === 'parent of each') return reach;
  if (isParent && reach === 'each') return 'parent of each';
  return isList ? 'each' : reach;
}
