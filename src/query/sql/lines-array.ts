/** The lines of a record as a JSON array: all of them, a slice, or those of a filter, in any order. */
import { Prisma } from '../../generated/sqlite/client.js';
import { largestPageSize } from '../../model/limits.js';
import type { Lines } from '../../model/resource.js';
import { largestInt32 } from '../../model/storable.js';
import { argumentValuesOf, filterArgument, numberArgument, orderOf } from '../compiled/argument-values.js';
import { argumentsOf, inRange } from '../compiled/arguments.js';
import type { Described } from '../compiled/described-fields.js';
import { NotCompilable } from '../compiled/selection.js';
import type { Variables } from '../compiled/variables.js';
import { columnResolverOf, conditionSql } from '../condition.js';
import { conditionOf } from '../filter.js';
import { byPosition } from '../keyset.js';
import { linkedIn } from '../linked.js';
import { orderSql } from '../list-sql.js';
import { keysOf } from '../sort.js';
import { lineCounted } from './size-conditions.js';
import type { SqlBuilder } from './statement.js';

export interface LineSql {
  /** Writes the object of a line for the alias of its table. */
  object(line: string): string;
  /** The bytes of its JSON that the database does not return. */
  frame: number;
}

/** `row` is the alias of the parent. */
export function linesArray(writing: SqlBuilder, lines: Lines, row: string, field: Described, line: LineSql): string {
  const names = new Set(field.nodes[0]?.arguments?.map(({ name }) => name.value));
  return names.has('where') || names.has('orderBy')
    ? chosenLines(writing, lines, row, field, line)
    : placedLines(writing, lines, row, field, line);
}

/** Lines are numbered 1…n, so a slice is a range of `idx`. */
function placedLines(
  writing: SqlBuilder,
  { resource, reference }: Lines,
  row: string,
  field: Described,
  { object, frame }: LineSql,
): string {
  const { limit, offset } = argumentsOf(field, ['limit', 'offset']);
  const line = writing.table();
  const written = writing.answerSize.withinList(() => object(line));
  const conditions = [`${line}."${reference}" = ${row}."id"`];
  if (field.nodes[0]?.arguments?.length) {
    const skipped = (variables: Variables) => inRange(offset?.(variables) ?? 0, 0, largestInt32);
    const last = (variables: Variables) => {
      const [taken, behind] = [limit?.(variables), skipped(variables)];
      const count = taken === undefined ? largestInt32 : inRange(taken, 1, largestPageSize);
      return count === undefined || behind === undefined ? undefined : Math.min(count + behind, largestInt32);
    };
    conditions.push(`${line}."idx" > ${writing.bind(skipped)}`, `${line}."idx" <= ${writing.bind(last)}`);
  }
  const from = `FROM "${resource.model}" AS ${line} WHERE ${conditions.join(' AND ')}`;
  const place = `${line}."idx"`;
  return writing.dialect.array(written, from, place, lineCounted(writing, frame, true), place);
}

function chosenLines(
  writing: SqlBuilder,
  { resource, reference }: Lines,
  row: string,
  { definition, nodes: [node] }: Described,
  { object, frame }: LineSql,
): string {
  if (!node) throw new NotCompilable();
  const asked = argumentValuesOf(writing, definition, node, (given) => ({
    where: conditionOf(resource, filterArgument(given, 'where')),
    keys: keysOf(resource, orderOf(given, 'orderBy'), byPosition),
    limit: numberArgument(given, 'limit') ?? largestInt32,
    offset: numberArgument(given, 'offset') ?? 0,
  }));
  writing.filtered.push((variables) => linkedIn(resource, asked(variables)?.where ?? {}));
  // A record may have any number of lines, and a filter may lead from each to others, so the statement is unbounded.
  writing.makeUnbounded();
  const [line, candidate] = [writing.table(), writing.table()];
  const written = writing.answerSize.withinList(() => object(line));
  const chosen = writing.dynamic((variables) => {
    const list = asked(variables);
    if (!list) return undefined;
    const ground = columnResolverOf(resource, candidate);
    return Prisma.sql`${conditionSql(list.where, ground)}
      ORDER BY ${orderSql(list.keys, false, ground)} LIMIT ${list.limit} OFFSET ${list.offset}`;
  });
  const order = writing.dynamic((variables) => {
    const list = asked(variables);
    return list && orderSql(list.keys, false, columnResolverOf(resource, line));
  });
  const from = `FROM (
      SELECT ${candidate}.* FROM "${resource.model}" AS ${candidate} WHERE ${candidate}."${reference}" = ${row}."id" AND ${chosen}
    ) AS ${line}`;
  return writing.dialect.array(written, from, order, lineCounted(writing, frame));
}
