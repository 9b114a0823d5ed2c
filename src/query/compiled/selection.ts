/**
 * The fields that a selection asks of an object type, with fragments expanded and equal response names merged, in the
 * order of the answer (GraphQL specification, 6.3.2).
 */
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from '../../common/fragments.js';
import { type Conditions, meetsConditions } from './conditions.js';

/** Thrown for an operation that cannot be compiled; the resolvers then answer it. */
export class NotCompilable extends Error {}

/** The context on which the meaning of a selection depends. */
export interface SelectionContext {
  schema: GraphQLSchema;
  fragments: Fragments;
  conditions: Conditions;
}

/** A field of the answer: its response name, and the nodes that select it, which differ only in their selections. */
export interface Selected {
  key: string;
  name: string;
  nodes: readonly FieldNode[];
}

export function selectedFields(
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
  surroundings: SelectionContext,
): Selected[] {
  const found = new Map<string, FieldNode[]>();
  for (const set of sets) if (set) collect(type, set, surroundings, found, new Set());
  return [...found].map(([key, nodes]) => ({ key, name: nodes[0]?.name.value ?? '', nodes }));
}

function collect(
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  surroundings: SelectionContext,
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
    if (condition === undefined || isA(type, condition, surroundings))
      collect(type, fragment.selectionSet, surroundings, found, visited);
  }
}

/** Whether the type is the named one, has it as an interface, or is a member of it as a union. */
function isA(type: GraphQLObjectType, name: string, { schema }: SelectionContext): boolean {
  if (type.name === name) return true;
  const several = schema.getType(name);
  return isAbstractType(several) && schema.isSubType(several, type);
}

function isTaken({ directives = [] }: SelectionNode, { conditions }: SelectionContext): boolean {
  if (directives.length === 0) return true;
  if (directives.some(({ name }) => name.value !== 'include' && name.value !== 'skip')) throw new NotCompilable();
  return meetsConditions(directives, conditions);
}
