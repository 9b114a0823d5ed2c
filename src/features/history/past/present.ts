/**
 * Reads a document with lists of its lines as they are now, all by one statement, so that they belong together. Secrets are
 * masked as in the journal: a state has one answer, whether it is still the newest or not.
 */

import { recordSql } from '../../../change/entries/entry-sql.js';
import { instant } from '../../../change/journal/entry.js';
import { type EntrySource, rowsOf } from '../../../change/journal/journal-state.js';
import { isObject } from '../../../common/is-object.js';
import { countLoaded } from '../../../database/answer-limit.js';
import { authorColumns, type Lines, type Resource } from '../../../model/resource.js';
import type { SelectedRecord } from '../../../query/delegate.js';

/** A document at one of its versions. */
export interface DocumentState {
  /** Undefined if there is none. */
  record: SelectedRecord | undefined;
  /** The lines of each list that was asked for, by their ids. */
  lines: ReadonlyMap<Resource, Map<string, SelectedRecord>>;
}

export async function presentState(
  database: EntrySource,
  resource: Resource,
  id: string,
  lists: readonly Lines[],
): Promise<DocumentState> {
  const parts = [{ resource, reference: 'id' }, ...lists];
  // Counted before anything large is read: documents may hold more than any answer.
  const sizes = await rowsOf(
    database,
    parts.map(selectSize).join(' UNION ALL '),
    parts.map(() => id),
  );
  countLoaded(sizes.reduce((sum, [size]) => sum + Number(size), 0));
  const selects = parts.map((part, index) => selectRecords(database, part, index));
  const found = await rowsOf(
    database,
    selects.join(' UNION ALL '),
    parts.map(() => id),
  );
  const lines = new Map(lists.map((list) => [list.resource, new Map<string, SelectedRecord>()]));
  let record: SelectedRecord | undefined;
  for (const [index, rowId, version, json, createdBy, updatedBy] of found) {
    const part = parts[Number(index)];
    if (!part) continue;
    const values: unknown = JSON.parse(String(json));
    const row = rowOf(part.resource, String(rowId), Number(version), isObject(values) ? values : {});
    if (part.resource === resource) record = resource.timestamps ? { ...row, createdBy, updatedBy } : row;
    else lines.get(part.resource)?.set(row.id, row);
  }
  return { record, lines };
}

/** The bytes of the texts of records, which both databases know without reading the texts. */
function selectSize({ resource: { model, fields }, reference }: Pick<Lines, 'resource' | 'reference'>): string {
  const texts = fields.filter(({ type }) => type === 'String');
  const bytes = texts.map(({ name }) => `coalesce(octet_length("${name}"), 0)`);
  return `SELECT coalesce(sum(${['500', ...bytes].join(' + ')}), 0) FROM "${model}" WHERE "${reference}" = ?`;
}

function selectRecords(
  { provider }: Pick<EntrySource, 'provider'>,
  { resource, reference }: Pick<Lines, 'resource' | 'reference'>,
  index: number,
): string {
  const { model, timestamps } = resource;
  const values = recordSql(provider, resource, (name) => `"${model}"."${name}"`);
  const authors = timestamps ? authorColumns.map((name) => `"${name}"`) : authorColumns.map(() => 'NULL');
  return `SELECT ${index}, "id", "version", ${values}, ${authors.join(', ')} FROM "${model}" WHERE "${reference}" = ?`;
}

/** A record whose fields are null unless `values` has them; texts of its times become instants. */
export function rowOf(
  { fields, timestamps }: Resource,
  id: string,
  version: number,
  values: Readonly<Record<string, unknown>>,
): SelectedRecord {
  const row: SelectedRecord = { id, version };
  for (const { name } of fields) row[name] = values[name] ?? null;
  if (timestamps) for (const name of ['createdAt', 'updatedAt']) row[name] = timeIn(values[name]);
  return row;
}

const timeIn = (value: unknown): Date => (value instanceof Date ? value : instant(value));
