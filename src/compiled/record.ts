/** The SQL expression that makes the JSON of a record, with its parents and lines, from a row in scope. */
import type { FieldNode } from 'graphql';
import type { Resource } from '../model/resource.js';
import { allowedActions, statuses } from '../records/lifecycle.js';
import { isReference } from '../schema/reference.js';
import { countedInAdvance } from './counted.js';
import { type ColumnType, type Entry, type Expression, longestKey } from './dialect.js';
import { linesArray } from './lines.js';
import { NotCompilable, objectType, selectedFields } from './selection.js';
import type { Writing } from './statement.js';

/** The object of `resource` made of the row `row`, as the selections of `nodes` ask for it. */
export function recordObject(writing: Writing, resource: Resource, row: string, nodes: readonly FieldNode[]): string {
  writing.resources.add(resource);
  const type = objectType(writing.schema, resource.model);
  const fields = selectedFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    writing,
  );
  const named = new Set<string>();
  const texts = new Map<string, number>();
  const entries = fields.map(({ key, name, nodes: [first, ...more] }): Entry => {
    if (!first || key.length > longestKey) throw new NotCompilable();
    const isText = isLong(columnType(resource, name));
    if (isText) texts.set(`${row}."${name}"`, 1 + (texts.get(`${row}."${name}"`) ?? 0));
    if (named.has(name) && (isText || resource.parents.some(({ field }) => field === name))) writing.extent.repeat();
    named.add(name);
    return [key, fieldValue(writing, resource, row, name, first, [first, ...more])];
  });
  const object = writing.dialect.object(entries);
  const keys = fields.map(({ key }) => key);
  return writing.extent.inAdvance ? countedInAdvance(writing, object, keys, texts) : object;
}

/** Whether its values may be of any length. */
const isLong = (type: ColumnType | undefined): boolean => type === 'String' || type === 'ID';

function fieldValue(
  writing: Writing,
  resource: Resource,
  row: string,
  name: string,
  first: FieldNode,
  nodes: readonly FieldNode[],
): Expression {
  const json = (sql: string): Expression => ({ sql, isJson: true });
  const value = (sql: string): Expression => ({ sql, isJson: false });
  if (name === '__typename') return value(`'${resource.model}'`);
  if (name === 'allowedActions') return json(writing.dialect.json(actionsOf(`${row}."status"`)));
  const parent = resource.parents.find(({ field }) => field === name);
  if (parent) {
    const table = writing.table();
    const object = recordObject(writing, parent.resource, table, nodes);
    const from = `FROM "${parent.resource.model}" AS ${table} WHERE ${table}."id" = ${row}."${parent.reference}"`;
    return json(writing.dialect.single(object, from));
  }
  const lines = resource.lines.find(({ field }) => field === name);
  if (lines) {
    const object = (line: string) => recordObject(writing, lines.resource, line, nodes);
    return json(linesArray(writing, resource, lines, row, first, object));
  }
  const column = columnType(resource, name);
  if (!column) throw new NotCompilable();
  return value(writing.dialect.value(`${row}."${name}"`, column));
}

/** The answer for each state, as text. */
function actionsOf(status: string): string {
  const cases = statuses.map((known) => `WHEN '${known}' THEN '${JSON.stringify(allowedActions(known))}'`);
  return `CASE ${status} ${cases.join(' ')} ELSE '${JSON.stringify(allowedActions(undefined))}' END`;
}

const gatewayColumns: Record<string, ColumnType> = { id: 'ID', version: 'Int' };
const timestampColumns: Record<string, ColumnType> = { createdAt: 'DateTime', updatedAt: 'DateTime' };

function columnType(resource: Resource, name: string): ColumnType | undefined {
  const field = resource.fields.find((candidate) => candidate.name === name);
  if (field) return isReference(resource, name) ? 'ID' : field.type;
  return gatewayColumns[name] ?? (resource.timestamps ? timestampColumns[name] : undefined);
}
