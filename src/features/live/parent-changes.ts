/** Changes of parents that may make lines enter or leave a filter, though the lines themselves do not change. */
import type { Resource } from '../../model/resource.js';
import type { Filter } from '../../query/filter.js';
import { type ChangedRecord, changesOfType } from './changed-record.js';
import type { Entry } from './entry.js';
import { namesIn, touchedBy } from './leaving.js';

/**
 * One for each changed parent that a filter of lines looks at: it touched something that the filter names. Created and deleted
 * parents are left out, because each of their lines has an entry of its own.
 */
export function parentChanges(entries: readonly Entry[], lines: Resource, where: Filter): ChangedRecord[] {
  return lines.parents.flatMap(({ field, resource }) => {
    const names = new Set(filtersOf(where, field).flatMap(namesIn));
    if (names.size === 0) return [];
    return changesOfType(entries, resource).flatMap((change) => {
      const isTouched = [...touchedBy(change.fields)].some((name) => names.has(name));
      if (!isTouched || !change.own || change.action === 'create' || change.action === 'delete') return [];
      // Its own entry, so that no line has the same position.
      return [{ ...change, position: change.own.position }];
    });
  });
}

/** The filters of a relation, at any depth, because a filter of lines may lead back to their parent. */
function filtersOf(value: unknown, relation: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => filtersOf(each, relation));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === relation ? [inner] : filtersOf(inner, relation)));
}
