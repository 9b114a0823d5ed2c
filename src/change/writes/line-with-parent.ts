/** Reads lines together with their parent's version in one statement, so that the version belongs to these lines. */

import type { Procedure, Rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Resource } from '../../model/resource.js';
import { scopeOf } from '../../query/scope.js';
import { foreignParents, requiredParent } from '../parent-type.js';
import { StatementBuilder } from '../statements/statement-builder.js';
import { type StoredRecord, storedRecordReader } from '../statements/stored-record.js';
import type { ParentState } from '../step.js';

/** A line with its parent. */
export interface LineWithParent {
  line: StoredRecord;
  parent: ParentState;
  /** The number of lines of the parent, if `idx` was asked for: counting them takes the longer the more there are. */
  count: number | undefined;
}

/**
 * The line with the id, with the fields `names`, its position and its parent's id; undefined if there is none. Who asks for
 * `idx` by name gets the number of lines too.
 */
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
  const { count: many, columns, parentIn } = versionsOf(resource, () => `"line"."${scope}"`);
  const siblings = `(SELECT count(*) FROM "${model}" AS "sibling" WHERE "sibling"."${scope}" = "line"."${scope}")`;
  const counts = names.includes('idx') ? [`${siblings} AS "count"`] : [];
  const ofLine = ['id', 'version', ...fields].map((name) => `"line"."${name}"`);
  const selected = [...columns, ...counts, ...ofLine].join(', ');
  const read = text.statement(`SELECT ${selected} FROM "${model}" AS "line" WHERE "line"."id" = ${text.bind(id)}`);
  // The change of the line checks that its parent still has this version.
  const [row] = yield { ...read, isChecked: true };
  if (!row) return undefined;
  const line = storedRecordReader(resource, fields, many + counts.length)(row);
  const parent = parentIn(row, String(line.values[scope]));
  return parent && { line, parent, count: counts.length > 0 ? Number(row[many]) : undefined };
}

/** The positions of a parent's lines by their ids, in their order; undefined if there are none. */
export function* linesWithParent(
  provider: Provider,
  resource: Resource,
  parentId: string,
): Procedure<{ parent: ParentState; places: Map<string, number> } | undefined> {
  const text = new StatementBuilder(provider);
  // The parent's id is bound, so that its version is looked up once and not for each line.
  const { count, columns, parentIn } = versionsOf(resource, () => text.bind(parentId));
  const found = yield text.statement(
    `SELECT ${[...columns, '"id"', '"idx"'].join(', ')} FROM "${resource.model}"
     WHERE "${scopeOf(resource)}" = ${text.bind(parentId)} ORDER BY "idx"`,
  );
  const parent = found[0] && parentIn(found[0], parentId);
  return parent && { parent, places: new Map(found.map((row) => [String(row[count]), Number(row[count + 1])])) };
}

/** The versions of all records that may be the parent, of which at most one exists: so many columns, which come first. */
function versionsOf(resource: Resource, parentId: () => string) {
  const required = requiredParent(resource);
  const candidates = (required ? [required] : resource.parents).map((each) => each.resource);
  const tables = [...candidates.map(({ model }) => model), ...(required ? [] : [foreignParents])];
  return {
    count: tables.length,
    columns: tables.map(
      (table) =>
        `(SELECT "version" FROM "${table}" AS "parent" WHERE "parent"."id" = ${parentId()}) AS "version of ${table}"`,
    ),
    /** Undefined if the line's required parent is missing. */
    parentIn(row: Rows[number], id: string): ParentState | undefined {
      const place = candidates.findIndex((_, index) => row[index] !== null);
      if (required && place < 0) return undefined;
      return { id, resource: candidates[place], version: Number(row[place < 0 ? tables.length - 1 : place] ?? 0) };
    },
  };
}
