/** Records with odd values: together they test every field with every value of its type. */
import { type DocumentedResource, documentLike } from './document.js';
import { documentedFields, parentReference } from './documented-fields.js';
import type { Body } from './records.js';
import { oddValue, rounds, type Value } from './values.js';

export const everyRound = Array.from({ length: rounds }, (_, round) => round);

/**
 * The rounds of one of the four ways of writing, 0 to 3: create and update, through REST and through GraphQL. Each way
 * writes every field with some values; over the four of them every field has every value.
 */
export function roundsOf(way: number): number[] {
  const perWay = Math.ceil(rounds / 4);
  return Array.from({ length: perWay }, (_, index) => way * perWay + index);
}

/** A body with all fields of the resource; `fixed` has those whose value is not free. */
export function oddBody(resource: DocumentedResource, round: number, fixed: Body): Body {
  const values = documentedFields(resource).map((field, position): [string, Value] => [
    field.name,
    fixed[field.name] ?? oddValue(field, position, round),
  ]);
  return Object.fromEntries(values);
}

/** The values that are not free: the state, the place among the lines, the parent. */
export function fixedValues(resource: DocumentedResource, status: string, parentId: string, idx: number): Body {
  const reference = parentReference(resource);
  return {
    ...(documentLike.includes(resource.title) ? { status } : {}),
    ...(reference ? { idx, [reference]: parentId } : {}),
  };
}
