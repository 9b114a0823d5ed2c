/** The SQL expression for a record with its parents and lines. `record-reader.ts` makes its JSON of the result. */

import { Prisma } from '../../generated/sqlite/client.js';
import { largestInt32 } from '../../model/field.js';
import { allowedActions, statuses } from '../../model/lifecycle.js';
import { largestPageSize } from '../../model/limits.js';
import type { Lines } from '../../model/resource.js';
import {
  type ColumnType,
  NotCompilable,
  readArguments,
  required,
  type Selection,
  type Variables,
} from '../../model/selection.js';
import { inRange, numberArgument } from '../arguments.js';
import { conditionSql, groundOf, namedIdSql } from '../condition.js';
import { orderSql } from '../list.js';
import { listIn } from '../page.js';
import { longestKey } from './dialect.js';
import {
  type Expression,
  isUnquoted,
  type JsonMember,
  mostArguments,
  numberSurplus,
  type RecordForm,
} from './record-form.js';
import { relatedPage } from './related-page.js';
import { countedInAdvance, lineCounted } from './sizes.js';
import type { SqlBuilder } from './statement.js';

/** The record in `row`. @throws NotCompilable */
export function recordObject(writing: SqlBuilder, record: Selection, row: string, count: RecordCount): string {
  if (!record.resource) throw new NotCompilable();
  writing.resources.add(record.resource);
  const { fields } = record;
  const named = new Set<string>();
  const texts = new Map<string, number>();
  const entries = fields.map((field): JsonMember => {
    const { key, name, answer } = field;
    if (key.length > longestKey) throw new NotCompilable();
    const isText = answer.kind === 'column' && isLong(answer.type);
    if (isText) texts.set(`${row}."${answer.column}"`, 1 + (texts.get(`${row}."${answer.column}"`) ?? 0));
    if (named.has(name) && (isText || answer.kind === 'parent' || answer.kind === 'link')) writing.answerSize.repeat();
    named.add(name);
    return [key, fieldValue(writing, row, field)];
  });
  const object = formOf(writing)[isOfTexts(writing, fields, count) ? 'texts' : 'record'](entries);
  const keys = fields.map(({ key }) => key);
  return writing.answerSize.inAdvance ? countedInAdvance(writing, object, keys, texts) : object;
}

/**
 * The bytes of a record's JSON beyond those that the database returns: its keys, without the spaces or quotes that PostgreSQL
 * returns instead. On SQLite it is negative, because the marks of numbers are removed.
 */
export function frameBytes(writing: SqlBuilder, record: Selection, count: RecordCount): number {
  if (writing.answerSize.inAdvance) return 0;
  if (!writing.dialect.lacksKeys) return -numberSurplus * numbersIn(record);
  const { fields } = record;
  const isTexts = isOfTexts(writing, fields, count);
  return fields.reduce((bytes, { key, answer }) => {
    const isQuoted = isTexts && answer.kind === 'column' && isUnquoted(answer.type);
    const more = isTexts ? (isQuoted ? '""'.length : 0) : ' '.length;
    return bytes + Buffer.byteLength(key) + '"":'.length - more;
  }, 1);
}

/** The numbers of a record and of its parents. */
const numbersIn = ({ fields }: Selection): number =>
  fields.reduce((sum, field) => {
    const { answer } = field;
    if (answer.kind === 'column') return sum + (answer.type === 'Float' ? 1 : 0);
    return answer.kind === 'parent' || answer.kind === 'link' ? sum + numbersIn(field) : sum;
  }, 0);

/** Objects that are counted before they are built have to be complete, so that their size is known. */
const formOf = ({ dialect, answerSize }: SqlBuilder): RecordForm =>
  answerSize.inAdvance ? dialect.complete : dialect.compact;

/** Whether values of the type may be of any length. */
const isLong = (type: ColumnType): boolean => type === 'String' || type === 'ID';

function fieldValue(writing: SqlBuilder, row: string, field: Selection): Expression {
  const { answer } = field;
  const { dialect } = writing;
  switch (answer.kind) {
    case 'typename':
      return { sql: `'${answer.type}'`, isJson: false };
    case 'column': {
      const form = formOf(writing);
      const isMarked = form.marksNumbers && answer.type === 'Float';
      return { sql: form.value(`${row}."${answer.column}"`, answer.type), isJson: false, isMarked };
    }
    case 'status': {
      // A text that is no state fails the statement, so that the resolvers answer.
      const names = statuses.map((status) => `WHEN '${status}' THEN '${field.serialize(status)}'`);
      const status = `${row}."status"`;
      return { sql: `CASE ${status} ${names.join(' ')} ELSE ${dialect.failOnStatus(status)} END`, isJson: false };
    }
    case 'allowedActions':
      return { sql: dialect.json(actionsOf(`${row}."status"`, field)), isJson: true };
    case 'parent':
      required(field, answer.parent.link ? 'one or null' : 'one', answer.parent.resource);
      return single(writing, field, () => `${row}."${answer.parent.reference}"`);
    case 'link':
      required(field, 'one or null', answer.link.resource);
      return single(writing, field, () => namedIdSql(answer.link, `${row}."${answer.link.text}"`, writing.table()));
    case 'lines':
      required(field, 'list', answer.lines.resource);
      return { sql: linesArray(writing, answer.lines, row, field), isJson: true };
    case 'related':
      return relatedPage(writing, answer.list, row, field, {
        form: formOf(writing),
        object: (record, table) => recordObject(writing, record, table, 'many'),
        frame: (record) => frameBytes(writing, record, 'many'),
      });
    default:
      throw new NotCompilable();
  }
}

/** The record that has the id. */
function single(writing: SqlBuilder, record: Selection, id: () => string): Expression {
  const table = writing.table();
  const object = recordObject(writing, record, table, 'one');
  const from = `FROM "${record.resource?.model}" AS ${table} WHERE ${table}."id" = ${id()}`;
  return { sql: writing.dialect.single(object, from), isJson: true };
}

/** The actions of each state as JSON text, with the enum names of the schema. */
function actionsOf(status: string, field: Selection): string {
  const text = (state: string | undefined) =>
    `'${JSON.stringify(allowedActions(state).map((each) => field.serialize(each)))}'`;
  return `CASE ${status} ${statuses.map((known) => `WHEN '${known}' THEN ${text(known)}`).join(' ')} ELSE ${text(undefined)} END`;
}

/** The lines of a record as a JSON array: all of them, a slice, or those of a filter, in any order. `row` is the record's alias. */
function linesArray(writing: SqlBuilder, lines: Lines, row: string, field: Selection): string {
  const isChosen = field.given.has('where') || field.given.has('orderBy');
  return (isChosen ? chosenLines : placedLines)(writing, lines, row, field);
}

/** Lines are numbered 1…n, so a slice is a range of `idx`. */
function placedLines(writing: SqlBuilder, { resource, reference }: Lines, row: string, field: Selection): string {
  const frame = frameBytes(writing, field, 'many');
  const [limit, offset] = [field.argument('limit'), field.argument('offset')];
  const line = writing.table();
  const written = writing.answerSize.withinList(() => recordObject(writing, field, line, 'many'));
  const conditions = [`${line}."${reference}" = ${row}."id"`];
  if (field.given.size > 0) {
    const skipped = (variables: Variables) => inRange(offset(variables) ?? 0, 0, largestInt32);
    const last = (variables: Variables) => {
      const [taken, behind] = [limit(variables), skipped(variables)];
      const count = taken == null ? largestInt32 : inRange(taken, 1, largestPageSize);
      return count === undefined || behind === undefined ? undefined : Math.min(count + behind, largestInt32);
    };
    conditions.push(`${line}."idx" > ${writing.bind(skipped)}`, `${line}."idx" <= ${writing.bind(last)}`);
  }
  const from = `FROM "${resource.model}" AS ${line} WHERE ${conditions.join(' AND ')}`;
  const place = `${line}."idx"`;
  return writing.dialect.array(written, from, place, lineCounted(writing, frame, true), place);
}

function chosenLines(writing: SqlBuilder, { resource, reference }: Lines, row: string, field: Selection): string {
  const frame = frameBytes(writing, field, 'many');
  const asked = readArguments(field, (given) => ({
    ...listIn(resource, given),
    limit: numberArgument(given, 'limit') ?? largestInt32,
    offset: numberArgument(given, 'offset') ?? 0,
  }));
  writing.filtered.push({ resource, list: asked });
  // A record may have any number of lines, and a filter may lead from each to others, so the statement is unbounded.
  writing.makeUnbounded();
  const [line, candidate] = [writing.table(), writing.table()];
  const written = writing.answerSize.withinList(() => recordObject(writing, field, line, 'many'));
  const ground = groundOf(candidate);
  const chosen = writing.dynamic(
    asked,
    ({ where, keys, limit, offset }) => Prisma.sql`${conditionSql(where, ground)}
      ORDER BY ${orderSql(keys, false, ground)} LIMIT ${limit} OFFSET ${offset}`,
  );
  const order = writing.dynamic(asked, ({ keys }) => orderSql(keys, false, groundOf(line)));
  const from = `FROM (
      SELECT ${candidate}.* FROM "${resource.model}" AS ${candidate} WHERE ${candidate}."${reference}" = ${row}."id" AND ${chosen}
    ) AS ${line}`;
  return writing.dialect.array(written, from, order, lineCounted(writing, frame));
}

/** Whether a statement builds one such record or many of them. */
export type RecordCount = 'one' | 'many';

/**
 * Whether PostgreSQL returns the record as texts: one of many, all of whose fields are columns. A single one is built no
 * faster, but takes longer to prepare.
 */
const isOfTexts = ({ dialect, answerSize }: SqlBuilder, fields: readonly Selection[], count: RecordCount): boolean =>
  count === 'many' &&
  dialect.lacksKeys &&
  !answerSize.inAdvance &&
  fields.length > 0 &&
  fields.length <= mostArguments &&
  fields.every(({ answer: { kind } }) => kind === 'column' || kind === 'status' || kind === 'typename');

/** The tables of a record's parents and lines, and of theirs. */
export function tablesBelow({ fields }: Selection, tables = new Set<string>()): ReadonlySet<string> {
  for (const field of fields) {
    if (!isRecords(field)) continue;
    if (field.resource) tables.add(field.resource.model);
    tablesBelow(field, tables);
  }
  return tables;
}

/** Whether a record holds linked records, at any depth. */
export const selectsLinks = ({ fields }: Selection): boolean =>
  fields.some((field) => field.answer.kind === 'link' || (isRecords(field) && selectsLinks(field)));

const isRecords = ({ answer: { kind } }: Selection): boolean =>
  kind === 'parent' || kind === 'link' || kind === 'lines';
