/** The lines that are inserted together with their records. */
import type { Values } from '../../model/change.js';
import type { Lines } from '../../model/resource.js';
import type { Insert } from '../step.js';

/** The rows of one list of a record, in their order. */
export type LinesOf = (lines: Lines, record: Values) => readonly Values[];

/** `lists` are the inserts of all lines, each in the order of its records. */
export function byParent(lists: readonly Insert[]): LinesOf {
  const found = new Map<Lines, Map<unknown, Values[]>>();
  return (lines, { id }) => {
    const known = found.get(lines) ?? grouped(lists, lines);
    found.set(lines, known);
    return known.get(id) ?? [];
  };
}

function grouped(lists: readonly Insert[], { resource, reference }: Lines): Map<unknown, Values[]> {
  const groups = new Map<unknown, Values[]>();
  for (const row of lists.find((list) => list.resource === resource)?.rows ?? []) {
    const group = groups.get(row[reference]);
    if (group) group.push(row);
    else groups.set(row[reference], [row]);
  }
  return groups;
}
