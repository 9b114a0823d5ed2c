/**
 * A connection within a record: its lines, or the records that name it. The statement of the record builds the whole JSON,
 * with page, total and cursors, in the form in which it builds records.
 */
import { Prisma } from '../../generated/sqlite/client.js';
import type { Lines, WayBack } from '../../model/resource.js';
import { type FromVariables, NotCompilable, readArguments, required, type Selection } from '../../model/selection.js';
import { allOf, type Condition, conditionSql, type Ground, groundOf, namesSql } from '../condition.js';
import { cursorColumns } from '../cursor.js';
import { byPosition, newestFirst, orderSql } from '../list.js';
import { type RequestedList, requestedList } from '../page.js';
import { longestKey } from './dialect.js';
import type { Expression, JsonMember, RecordForm } from './record-form.js';
import { lineCounted } from './sizes.js';
import type { SqlBuilder } from './statement.js';

/** How the records of the page are written. */
export interface RecordSql {
  form: RecordForm;
  /** The object of a record for the alias of its table. */
  object(record: Selection, row: string): string;
  /** The bytes of its JSON that the database does not return. */
  frame(record: Selection): number;
}

/** `row` is the alias of the record. @throws NotCompilable */
export function relatedPage(
  writing: SqlBuilder,
  list: Lines | WayBack,
  row: string,
  field: Selection,
  records: RecordSql,
): Expression {
  const { resource } = list;
  const { dialect } = writing;
  writing.resources.add(resource);
  const standard = 'link' in list ? newestFirst : byPosition;
  const asked = readArguments(field, (given) => requestedList(resource, given, standard));
  writing.filtered.push({ resource, list: asked });
  const { given } = field;
  // Any number of rows may be examined, unless the page is the beginning of the list.
  if (given.size > (given.has('first') ? 1 : 0)) writing.makeUnbounded();
  const rows = relatedRows(writing, list, row, asked);

  const array = (object: (line: string) => string, frame: number): Expression => {
    const { line, from, order } = rows.page();
    const item = writing.answerSize.withinList(() => object(line));
    return { sql: dialect.array(item, from, order(), lineCounted(writing, frame)), isJson: true };
  };

  /** The values of another order may be of any length and form: its cursors are left to the resolvers. */
  const cursor = (line: string): string => {
    if (given.has('orderBy')) throw new NotCompilable();
    return dialect.cursor(
      standard,
      cursorColumns(standard).map((column) => `${line}."${column}"`),
    );
  };
  const cursorAt = (isLast: boolean): Expression => {
    const { line, from, order } = rows.page();
    return { sql: `(SELECT ${cursor(line)} ${from} ORDER BY ${order(isLast)} LIMIT 1)`, isJson: false };
  };
  const flag = (condition: string): Expression => ({
    sql: dialect.json(`(CASE WHEN ${condition} THEN 'true' ELSE 'false' END)`),
    isJson: true,
  });

  const object = (selected: Selection, form: 'one' | 'list', write: (part: Selection) => Expression): string => {
    const entries = required(selected, form).fields.map((part): JsonMember => {
      const { key, answer } = part;
      // PostgreSQL would cut it.
      if (key.length > longestKey) throw new NotCompilable();
      return [key, answer.kind === 'typename' ? { sql: `'${answer.type}'`, isJson: false } : write(part)];
    });
    return records.form.record(entries);
  };

  const ofPageInfo = ({ answer }: Selection): Expression => {
    if (answer.kind !== 'pageInfo') throw new NotCompilable();
    switch (answer.part) {
      case 'hasNextPage':
        return flag(rows.goesOn('next'));
      case 'hasPreviousPage':
        return flag(rows.goesOn('previous'));
      default:
        return cursorAt(answer.part === 'endCursor');
    }
  };

  const ofEdge =
    (line: string) =>
    (part: Selection): Expression => {
      if (part.answer.kind !== 'edge') throw new NotCompilable();
      if (part.answer.part === 'cursor') return { sql: cursor(line), isJson: false };
      return { sql: records.object(required(part, 'one', resource), line), isJson: true };
    };

  const ofPage = (selected: Selection): Expression => {
    const { answer } = selected;
    if (answer.kind !== 'page') throw new NotCompilable();
    switch (answer.part) {
      case 'nodes': {
        required(selected, 'list', resource);
        return array((line) => records.object(selected, line), records.frame(selected));
      }
      case 'edges': {
        const nodes = selected.fields.filter(({ name }) => name === 'node');
        const frame = nodes.reduce((bytes, each) => bytes + records.frame(each), 0);
        return array((line) => object(selected, 'list', ofEdge(line)), frame);
      }
      case 'pageInfo':
        return { sql: object(selected, 'one', ofPageInfo), isJson: true };
      case 'totalCount':
        writing.makeUnbounded();
        return { sql: rows.count(), isJson: false };
    }
  };

  return { sql: object(field, 'one', ofPage), isJson: true };
}

/** The SQL about the list of the record `row`. What depends on the request is written for each. */
function relatedRows(writing: SqlBuilder, list: Lines | WayBack, row: string, asked: FromVariables<RequestedList>) {
  const { resource } = list;
  /** The rows of the whole list under the alias. */
  const from = (alias: string): string => {
    const isRelated =
      'link' in list ? namesSql(list, alias, row, writing.table()) : `${alias}."${list.reference}" = ${row}."id"`;
    return `FROM "${resource.model}" AS ${alias} WHERE ${isRelated}`;
  };
  const written = (alias: string, write: (request: RequestedList, on: Ground) => Prisma.Sql): string =>
    writing.dynamic(asked, (request) => write(request, groundOf(alias)));

  /** Whether there is a row that fulfils the condition after `skip` others. */
  const existing = (): ((
    request: RequestedList,
    where: Condition[],
    skip: number,
    reversed?: boolean,
  ) => Prisma.Sql) => {
    const alias = writing.table();
    const [rows, on] = [Prisma.raw(from(alias)), groundOf(alias)];
    return ({ keys, backwards }, where, skip, reversed = false) =>
      Prisma.sql`EXISTS (SELECT 1 ${rows} AND ${conditionSql(allOf(...where), on)}
        ORDER BY ${orderSql(keys, backwards !== reversed, on)} LIMIT 1 OFFSET ${skip})`;
  };

  return {
    /** The rows under the alias `line`; `order` writes how they are read, or reversed. */
    page() {
      const [candidate, line] = [writing.table(), writing.table()];
      const chosen = written(candidate, ({ where, bounds, keys, backwards, size, head, offset }, on) => {
        const condition = conditionSql(allOf(where, ...bounds), on);
        return Prisma.sql`${condition} ORDER BY ${orderSql(keys, backwards, on)} LIMIT ${head ?? size} OFFSET ${offset}`;
      });
      /** Takes the end of the rows, if the page is that. */
      const begun = written(line, ({ head }) => (head === undefined ? Prisma.empty : Prisma.sql`SELECT * FROM (`));
      const ended = written(line, ({ keys, head, size }, on) =>
        head === undefined
          ? Prisma.empty
          : Prisma.sql`) AS ${Prisma.raw(line)} ORDER BY ${orderSql(keys, true, on)} LIMIT ${size}`,
      );
      return {
        line,
        from: `FROM (${begun}SELECT ${candidate}.* ${from(candidate)} AND ${chosen}${ended}) AS ${line}`,
        order: (reversed = false) => written(line, ({ keys }, on) => orderSql(keys, reversed, on)),
      };
    },

    count(): string {
      const alias = writing.table();
      return `(SELECT count(*) ${from(alias)} AND ${written(alias, ({ where }, on) => conditionSql(where, on))})`;
    },

    /** Whether rows follow the page or precede it; for a page that is read backwards, one is the other. */
    goesOn(side: 'next' | 'previous'): string {
      const [there, other, any] = [existing(), existing(), existing()];
      return writing.dynamic(asked, (request) => {
        const { where, bounds, behind, size, offset, backwards, isOpen, head } = request;
        if ((side === 'next') !== backwards) return there(request, [where, ...bounds], (head ?? size) + offset);
        if (!isOpen) return head === undefined ? Prisma.sql`FALSE` : there(request, [where, ...bounds], size);
        // Skipped rows precede the page.
        const isBehind = offset > 0 ? Prisma.sql`TRUE` : other(request, [where, ...behind], 0, true);
        return Prisma.sql`CASE WHEN ${there(request, [where, ...bounds], offset)} THEN ${isBehind}
          ELSE ${any(request, [where], 0, true)} END`;
      });
    },
  };
}
