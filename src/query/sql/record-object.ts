/** The SQL expression for a record with its parents and lines. `record-reader.ts` makes its JSON of the result. */
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql';
import { Prisma } from '../../generated/sqlite/client.js';
import { columnTypeOf, recordOf } from '../../graphql/answered-by-sql.js';
import { largestInt32 } from '../../model/field.js';
import { allowedActions, statuses } from '../../model/lifecycle.js';
import { largestPageSize } from '../../model/limits.js';
import type { Lines } from '../../model/resource.js';
import {
  argumentsOf,
  argumentValuesOf,
  filterArgument,
  inRange,
  numberArgument,
  orderOf,
} from '../compiled/arguments.js';
import { type Described, recordTypeIn } from '../compiled/described-fields.js';
import { NotCompilable } from '../compiled/selection.js';
import { statusNames } from '../compiled/status-names.js';
import type { Variables } from '../compiled/variables.js';
import { columnResolverOf, conditionSql } from '../condition.js';
import { conditionOf } from '../filter.js';
import { byPosition, keysOf } from '../keyset.js';
import { namedIdSql } from '../link-sql.js';
import { orderSql } from '../list-sql.js';
import { linkedIn } from '../read.js';
import { longestKey } from './dialect.js';
import type { Expression, JsonMember } from './joined-object.js';
import { numberSurplus } from './plain-numbers.js';
import { mostArguments } from './postgresql-record-form.js';
import { type ColumnType, isUnquoted, type RecordForm } from './record-form.js';
import { fieldsBelow, numbersIn, oneBelow, type RecordSelection } from './records-below.js';
import { relatedPage } from './related-page.js';
import { countedInAdvance, lineCounted } from './size-conditions.js';
import type { SqlBuilder } from './statement.js';

/** The record in `row`. @throws NotCompilable */
export function recordObject(
  writing: SqlBuilder,
  { type, nodes }: RecordSelection,
  row: string,
  count: RecordCount,
): string {
  const resource = recordOf(type);
  if (!resource) throw new NotCompilable();
  writing.resources.add(resource);
  const fields = fieldsBelow(writing, { type, nodes });
  const named = new Set<string>();
  const texts = new Map<string, number>();
  const entries = fields.map((field): JsonMember => {
    const { key, name, answer } = field;
    if (key.length > longestKey) throw new NotCompilable();
    const isText = answer.kind === 'column' && isLong(answer.type);
    if (isText) texts.set(`${row}."${answer.column}"`, 1 + (texts.get(`${row}."${answer.column}"`) ?? 0));
    if (named.has(name) && (isText || answer.kind === 'parent' || answer.kind === 'link')) writing.answerSize.repeat();
    named.add(name);
    return [key, fieldValue(writing, type, row, field)];
  });
  const object = formOf(writing)[isOfTexts(writing, fields, count) ? 'texts' : 'record'](entries);
  const keys = fields.map(({ key }) => key);
  return writing.answerSize.inAdvance ? countedInAdvance(writing, object, keys, texts) : object;
}

/**
 * The bytes of a record's JSON beyond those that the database returns: its keys, without the spaces or quotes that PostgreSQL
 * returns instead. On SQLite it is negative, because the marks of numbers are removed.
 */
export function frameBytes(writing: SqlBuilder, selection: RecordSelection, count: RecordCount): number {
  if (writing.answerSize.inAdvance) return 0;
  if (!writing.dialect.lacksKeys) return -numberSurplus * numbersIn(writing, selection);
  const fields = fieldsBelow(writing, selection);
  const isTexts = isOfTexts(writing, fields, count);
  return fields.reduce((bytes, { key, answer }) => {
    const isQuoted = isTexts && answer.kind === 'column' && isUnquoted(answer.type);
    const more = isTexts ? (isQuoted ? '""'.length : 0) : ' '.length;
    return bytes + Buffer.byteLength(key) + '"":'.length - more;
  }, 1);
}

/** Objects that are counted before they are built have to be complete, so that their size is known. */
const formOf = ({ dialect, answerSize }: SqlBuilder): RecordForm =>
  answerSize.inAdvance ? dialect.complete : dialect.compact;

/** Whether values of the type may be of any length. */
const isLong = (type: ColumnType): boolean => type === 'String' || type === 'ID';

function fieldValue(writing: SqlBuilder, type: GraphQLObjectType, row: string, field: Described): Expression {
  const { answer, definition, nodes } = field;
  switch (answer.kind) {
    case 'typename':
      return { sql: `'${type.name}'`, isJson: false };
    case 'column': {
      const isAsStored = columnTypeOf(definition.type) === answer.type;
      if (!isAsStored || (answer.nullable && isNonNullType(definition.type))) throw new NotCompilable();
      const form = formOf(writing);
      const isMarked = form.marksNumbers && answer.type === 'Float';
      return { sql: form.value(`${row}."${answer.column}"`, answer.type), isJson: false, isMarked };
    }
    case 'status':
      return { sql: statusOf(writing, `${row}."status"`, definition.type), isJson: false };
    case 'allowedActions':
      return { sql: writing.dialect.json(actionsOf(`${row}."status"`, definition.type)), isJson: true };
    case 'parent':
    case 'link': {
      const one = oneBelow(field);
      if (!one) throw new NotCompilable();
      const table = writing.table();
      const object = recordObject(writing, one, table, 'one');
      const id =
        answer.kind === 'parent'
          ? `${row}."${answer.parent.reference}"`
          : namedIdSql(answer.link, `${row}."${answer.link.text}"`, writing.table());
      const from = `FROM "${one.resource.model}" AS ${table} WHERE ${table}."id" = ${id}`;
      return { sql: writing.dialect.single(object, from), isJson: true };
    }
    case 'lines': {
      const line = recordTypeIn(definition.type, answer.lines.resource, 'list');
      const object = (table: string) => recordObject(writing, { type: line, nodes }, table, 'many');
      const frame = frameBytes(writing, { type: line, nodes }, 'many');
      return { sql: linesArray(writing, answer.lines, row, field, { object, frame }), isJson: true };
    }
    case 'related':
      return relatedPage(writing, answer.list, row, field, {
        form: formOf(writing),
        object: (selection, table) => recordObject(writing, selection, table, 'many'),
        frame: (selection) => frameBytes(writing, selection, 'many'),
      });
    default:
      throw new NotCompilable();
  }
}

/** The state by its name in the schema. A text that is no state fails the statement, so that the resolvers answer. */
function statusOf({ dialect }: SqlBuilder, column: string, output: GraphQLOutputType): string {
  const names = [...statusNames(output)].map(([stored, name]) => `WHEN '${stored}' THEN '${name}'`);
  return `CASE ${column} ${names.join(' ')} ELSE ${dialect.failOnStatus(column)} END`;
}

/** The actions of each state as JSON text, with the enum names of the schema. */
function actionsOf(status: string, type: GraphQLOutputType): string {
  const [whole, action] = [getNullableType(type), getNamedType(type)];
  if (!isListType(whole) || getNullableType(whole.ofType) !== action || !isEnumType(action)) throw new NotCompilable();
  const text = (state: string | undefined) =>
    `'${JSON.stringify(allowedActions(state).map((each) => action.serialize(each)))}'`;
  return `CASE ${status} ${statuses.map((known) => `WHEN '${known}' THEN ${text(known)}`).join(' ')} ELSE ${text(undefined)} END`;
}

/** The lines of a record as a JSON array: all of them, a slice, or those of a filter, in any order. */
interface LineSql {
  /** Writes the object of a line for the alias of its table. */
  object(line: string): string;
  /** The bytes of its JSON that the database does not return. */
  frame: number;
}

/** `row` is the alias of the parent. */
function linesArray(writing: SqlBuilder, lines: Lines, row: string, field: Described, line: LineSql): string {
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

/** Which records PostgreSQL returns as arrays of texts (`RecordForm.texts`). */

/** Whether a statement builds one such record or many of them. */
export type RecordCount = 'one' | 'many';

/**
 * Whether PostgreSQL returns the record as texts: one of many, all of whose fields are columns. A single one is built no
 * faster, but takes longer to prepare.
 */
const isOfTexts = ({ dialect, answerSize }: SqlBuilder, fields: readonly Described[], count: RecordCount): boolean =>
  count === 'many' &&
  dialect.lacksKeys &&
  !answerSize.inAdvance &&
  fields.length > 0 &&
  fields.length <= mostArguments &&
  fields.every(({ answer: { kind } }) => kind === 'column' || kind === 'status' || kind === 'typename');
