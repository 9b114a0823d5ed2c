import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import { newRow } from '../values.js';

/** The rows of a parent's new lines, numbered from 1; none without a list. */
export function newLines(
  parent: Resource,
  child: Resource,
  parentId: string,
  lines: unknown,
): (Values & { id: string })[] {
  if (!Array.isArray(lines)) return [];
  const owned = ownershipOf(parent, child, parentId);
  return lines.map((line: Values, index) => newLine(child, line, owned, index + 1));
}

export function newLine(child: Resource, line: Values, owned: Values, idx: number): Values & { id: string } {
  const row = newRow(child, line, owned);
  row.idx = idx;
  return row;
}

/** The columns that refer to the parent. */
export function ownershipOf(parent: Resource, child: Resource, parentId: string): Values {
  const reference = child.parents.find(({ resource }) => resource === parent)?.reference;
  const isOfAnyParent = child.fields.some(({ name }) => name === 'parentType');
  return {
    ...(reference ? { [reference]: parentId } : {}),
    ...(isOfAnyParent ? { parentId, parentType: parent.title } : {}),
  };
}
