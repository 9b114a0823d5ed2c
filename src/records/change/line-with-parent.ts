/** Reads lines together with their parent's version in one statement, so that the version belongs to these lines. */

import type { Provider } from '../../database/migrations/migration-history.js';
import type { Resource } from '../../model/resource.js';
import type { Procedure, Rows } from '../../work.js';
import { scopeOf } from '../scope.js';
import { foreignParents, requiredParent } from './parent-type.js';
import { StatementBuilder } from './statement-builder.js';
import type { Parent } from './step.js';
import { type StoredRecord, storedRecordReader } from './stored-record.js';

/** A line with its parent. */
export interface LineWithParent {
  line: StoredRecord;
  parent: Parent;
  /** The number of lines of the parent. */
  count: number;
}

/** The line with the id, with the fields `names`, its position and its parent's id; undefined if there is none. */
export function* lineWithParent(
  provider: Provider,
  resource: Resource,
  id: string,
  names: readonly string[],
): Procedure<LineWithParent | undefined> {
  const { model } = resource;
  const scope = scopeOf(resource);
  const fields = [...new Set([...names, 'idx', scope])];
  const text = new StatementBuilder(provider);
  const count = `(SELECT count(*) FROM "${model}" AS "sibling" WHERE "sibling"."${scope}" = "line"."${scope}")`;
  const columns = [`${count} AS "count"`, ...versions(resource), ...ofLine(fields)].join(', ');
  const read = text.statement(`SELECT ${columns} FROM "${model}" AS "line" WHERE "line"."id" = ${text.bind(id)}`);
  // Whoever changes the line checks that its parent still has this version.
  const [row] = yield { ...read, isChecked: true };
  const found = row && readerOf(resource, fields, 1)(row);
  return found && { ...found, count: Number(row[0]) };
}

/** The lines of a parent in their order, with the fields `names` and their positions. */
export function* linesWithParent(
  provider: Provider,
  resource: Resource,
  parentId: string,
  names: readonly string[],
): Procedure<{ line: StoredRecord; parent: Parent }[]> {
  const scope = scopeOf(resource);
  const fields = [...new Set([...names, 'idx', scope])];
  const text = new StatementBuilder(provider);
  const columns = [...versions(resource), ...ofLine(fields)].join(', ');
  const found = yield text.statement(
    `SELECT ${columns} FROM "${resource.model}" AS "line" WHERE "line"."${scope}" = ${text.bind(parentId)} ORDER BY "line"."idx"`,
  );
  const read = readerOf(resource, fields, 0);
  return found.flatMap((row) => read(row) ?? []);
}

const ofLine = (fields: readonly string[]): string[] => ['id', 'version', ...fields].map((name) => `"line"."${name}"`);

/** The versions of all records that may be the parent; at most one exists. */
function versions(resource: Resource): string[] {
  const scope = `"line"."${scopeOf(resource)}"`;
  const required = requiredParent(resource);
  const tables = required
    ? [required.resource.model]
    : [...resource.parents.map((each) => each.resource.model), foreignParents];
  return tables.map(
    (table) => `(SELECT "version" FROM "${table}" WHERE "${table}"."id" = ${scope}) AS "version of ${table}"`,
  );
}

/**
 * Splits a row, whose columns from `start` on are versions and line; undefined if the line's required parent is missing.
 */
function readerOf(
  resource: Resource,
  fields: readonly string[],
  start: number,
): (row: Rows[number]) => { line: StoredRecord; parent: Parent } | undefined {
  const scope = scopeOf(resource);
  const required = requiredParent(resource);
  const candidates = required ? [required] : resource.parents;
  const end = start + versions(resource).length;
  const lineOf = storedRecordReader(resource, fields, end);
  return (row) => {
    const line = lineOf(row);
    const place = candidates.findIndex((_, index) => row[start + index] !== null);
    const parent = candidates[place]?.resource;
    if (!parent && required) return undefined;
    const version = Number(row[parent ? start + place : end - 1] ?? 0);
    return { line, parent: { id: String(line.values[scope]), resource: parent, version } };
  };
}
