/**
 * The fields a selection asks of one object type, fragments taken apart and fields of the same name merged, in the order
 * in which GraphQL answers them (GraphQL specification, 6.3.2).
 */
import { type FieldNode, type GraphQLObjectType, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';
import type { Fragments } from '../fragments.js';
import { type Conditions, isIncluded } from './conditions.js';

/** Thrown where an operation is no plain read; it then goes the way of the resolvers. */
export class NotCompilable extends Error {}

/** What a selection means depends on these. */
export interface Surroundings {
  fragments: Fragments;
  conditions: Conditions;
}

/** One field of the answer: its key, and the nodes that ask for it, which differ in their selections only. */
export interface Selected {
  key: string;
  name: string;
  nodes: readonly FieldNode[];
}

export function selectedFields(
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
  surroundings: Surroundings,
): Selected[] {
  const found = new Map<string, FieldNode[]>();
  for (const set of sets) if (set) collect(type, set, surroundings, found, new Set());
  return [...found].map(([key, nodes]) => ({ key, name: nodes[0]?.name.value ?? '', nodes }));
}

function collect(
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  surroundings: Surroundings,
  found: Map<string, FieldNode[]>,
  visited: Set<string>,
): void {
  for (const selection of selections) {
    if (!isTaken(selection, surroundings)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      found.set(key, [...(found.get(key) ?? []), selection]);
      continue;
    }
    const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
    if (isSpread && visited.has(selection.name.value)) continue;
    if (isSpread) visited.add(selection.name.value);
    const fragment = isSpread ? surroundings.fragments.get(selection.name.value) : selection;
    if (!fragment || (isSpread && fragment.directives?.length)) throw new NotCompilable();
    const condition = fragment.typeCondition?.name.value;
    const applies =
      condition === undefined || condition === type.name || type.getInterfaces().some(({ name }) => name === condition);
    if (applies) collect(type, fragment.selectionSet, surroundings, found, visited);
  }
}

function isTaken({ directives = [] }: SelectionNode, { conditions }: Surroundings): boolean {
  if (directives.length === 0) return true;
  if (directives.some(({ name }) => name.value !== 'include' && name.value !== 'skip')) throw new NotCompilable();
  return isIncluded(directives, conditions);
}
