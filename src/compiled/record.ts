/** The SQL expression that makes the JSON of a record, with its parents and lines, from a row in scope. */
import type { FieldNode, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import { largestPageSize } from '../model/limits.js';
import type { Lines, Resource } from '../model/resource.js';
import { isInt32, largestInt32 } from '../model/storable.js';
import { isReference } from '../schema/reference.js';
import { argumentsOf, type Variables } from './arguments.js';
import { type ColumnType, type Entry, longestKey } from './dialect.js';
import { NotCompilable, selectedFields } from './selection.js';
import type { Writing } from './statement.js';

/** The object of `resource` made of the row `row`, as the selections of `nodes` ask for it. */
export function recordObject(writing: Writing, resource: Resource, row: string, nodes: readonly FieldNode[]): string {
  writing.resources.add(resource);
  const type = objectType(writing.schema, resource.model);
  const fields = selectedFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    writing.fragments,
  );
  const entries = fields.map(({ key, name, nodes: [first, ...more] }): Entry => {
    if (!first || key.length > longestKey) throw new NotCompilable();
    return [key, fieldValue(writing, resource, row, name, first, [first, ...more])];
  });
  return writing.dialect.object(entries);
}

function fieldValue(
  writing: Writing,
  resource: Resource,
  row: string,
  name: string,
  first: FieldNode,
  nodes: readonly FieldNode[],
): string {
  if (name === '__typename') return `'${resource.model}'`;
  const parent = resource.parents.find(({ field }) => field === name);
  if (parent) {
    const table = writing.table();
    const object = recordObject(writing, parent.resource, table, nodes);
    const from = `FROM "${parent.resource.model}" AS ${table} WHERE ${table}."id" = ${row}."${parent.reference}"`;
    return writing.dialect.single(object, from);
  }
  const lines = resource.lines.find(({ field }) => field === name);
  if (lines) return linesArray(writing, lines, row, first, nodes);
  const column = columnType(resource, name);
  if (!column) throw new NotCompilable();
  return writing.dialect.value(`${row}."${name}"`, column);
}

/** Lines are numbered 1…n, so a slice of them is a range of their places. */
function linesArray(
  writing: Writing,
  { resource, reference }: Lines,
  row: string,
  first: FieldNode,
  nodes: readonly FieldNode[],
): string {
  const { limit, offset } = argumentsOf({ nodes }, ['limit', 'offset']);
  const table = writing.table();
  const object = recordObject(writing, resource, table, nodes);
  const conditions = [`${table}."${reference}" = ${row}."id"`];
  if (first.arguments?.length) {
    const skipped = (variables: Variables) => inRange(offset?.(variables) ?? 0, 0, largestInt32);
    const last = (variables: Variables) => {
      const [taken, behind] = [limit?.(variables), skipped(variables)];
      const count = taken === undefined ? largestInt32 : inRange(taken, 1, largestPageSize);
      return count === undefined || behind === undefined ? undefined : Math.min(count + behind, largestInt32);
    };
    conditions.push(`${table}."idx" > ${writing.bind(skipped)}`, `${table}."idx" <= ${writing.bind(last)}`);
  }
  const from = `FROM "${resource.model}" AS ${table} WHERE ${conditions.join(' AND ')}`;
  return writing.dialect.array(object, from, `${table}."idx"`);
}

/** The number where it is one within the range. */
export function inRange(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && isInt32(value) && value >= least && value <= most ? value : undefined;
}

export function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new NotCompilable();
  return type;
}

const gatewayColumns: Record<string, ColumnType> = { id: 'ID', version: 'Int' };
const timestampColumns: Record<string, ColumnType> = { createdAt: 'DateTime', updatedAt: 'DateTime' };

function columnType(resource: Resource, name: string): ColumnType | undefined {
  const field = resource.fields.find((candidate) => candidate.name === name);
  if (field) return isReference(resource, name) ? 'ID' : field.type;
  return gatewayColumns[name] ?? (resource.timestamps ? timestampColumns[name] : undefined);
}
