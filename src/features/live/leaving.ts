/** Whether a record that does not fulfil a filter may have fulfilled it before a change. */
import type { Filter } from '../../query/filter.js';
import type { ChangedRecord } from './changed-record.js';

/**
 * True if the change may have made the record leave the filter: it touched something that the filter looks at, and no
 * comparison shows that the record did not match before. The earlier state of the record is not read, so a few records
 * are reported as leaving that did not match before; none that leaves is missed.
 */
export function mayHaveLeft(where: Filter, { action, fields, own }: ChangedRecord): boolean {
  if (action === 'create') return false;
  const touched = touchedBy(fields);
  // A deleted record is reported once, whatever the filter looks at.
  const isTouched = action === 'delete' || namesIn(where).some((name) => touched.has(name));
  return isTouched && !(own && didNotMatch(where, own.before));
}

/** What a change touches: the changed fields and lists, and what every change raises without naming it. */
export const touchedBy = (fields: readonly string[]): ReadonlySet<string> =>
  new Set([...fields, 'version', 'updatedAt']);

/**
 * All names of fields, lists and parents in a filter, at any depth, because a filter of lines may lead back to their
 * parent. The names of comparisons are among them, but no field has such a name.
 */
export function namesIn(filter: unknown): string[] {
  if (Array.isArray(filter)) return filter.flatMap(namesIn);
  if (typeof filter !== 'object' || filter === null) return [];
  return Object.entries(filter).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** Whether a comparison that must hold did not hold for a value before the change. */
function didNotMatch(filter: Filter, before: ReadonlyMap<string, unknown>): boolean {
  return Object.entries(filter).some(([name, value]) => {
    if (name === 'and') return asList(value).some((part) => didNotMatch(part, before));
    const known = before.get(name);
    if (known === undefined || name === 'or' || name === 'not' || value === null) return false;
    const { eq, in: among } = asFilter(value);
    if (eq != null) return isOther(known, eq);
    return Array.isArray(among) && among.every((each) => isOther(known, each));
  });
}

/** Only values of the same kind are compared: dates and masked secrets have another form in the journal. */
const isOther = (known: unknown, wanted: unknown): boolean =>
  known === null || (typeof known === typeof wanted && known !== wanted);

const asList = (value: unknown): Filter[] => (Array.isArray(value) ? value : [value]).map(asFilter);
const asFilter = (value: unknown): Filter => (typeof value === 'object' && value !== null ? { ...value } : {});
