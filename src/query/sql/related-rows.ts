/** The rows of a connection within a record: its lines, or the records that name it. */
import { Prisma } from '../../generated/sqlite/client.js';
import type { Lines, WayBack } from '../../model/resource.js';
import type { RequestedList } from '../compiled/requested-list.js';
import type { FromVariables } from '../compiled/variables.js';
import { type ColumnResolver, columnResolverOf, conditionSql } from '../condition.js';
import type { Where } from '../delegate.js';
import { namesSql } from '../link-sql.js';
import { orderSql } from '../list-sql.js';
import type { SqlBuilder } from './statement.js';

/** Rows under the alias `line`; `order` writes how they are read, or reversed. */
export interface RelatedRows {
  line: string;
  from: string;
  order(reversed?: boolean): string;
}

/** The SQL about the list of the record `row`. What depends on the request is written for each. */
export function relatedRows(
  writing: SqlBuilder,
  list: Lines | WayBack,
  row: string,
  asked: FromVariables<RequestedList>,
) {
  const { resource } = list;
  /** The rows of the whole list under the alias. */
  const from = (alias: string): string => {
    const isRelated =
      'link' in list ? namesSql(list, alias, row, writing.table()) : `${alias}."${list.reference}" = ${row}."id"`;
    return `FROM "${resource.model}" AS ${alias} WHERE ${isRelated}`;
  };
  const written = (alias: string, write: (request: RequestedList, on: ColumnResolver) => Prisma.Sql): string =>
    writing.dynamic((variables) => {
      const request = asked(variables);
      return request && write(request, columnResolverOf(resource, alias));
    });

  /** Whether there is a row that fulfils the condition after `skip` others. */
  const existing = (): ((request: RequestedList, where: Where[], skip: number, reversed?: boolean) => Prisma.Sql) => {
    const alias = writing.table();
    const [rows, on] = [Prisma.raw(from(alias)), columnResolverOf(resource, alias)];
    return ({ keys, backwards }, where, skip, reversed = false) =>
      Prisma.sql`EXISTS (SELECT 1 ${rows} AND ${conditionSql({ AND: where }, on)}
        ORDER BY ${orderSql(keys, backwards !== reversed, on)} LIMIT 1 OFFSET ${skip})`;
  };

  return {
    page(): RelatedRows {
      const [candidate, line] = [writing.table(), writing.table()];
      const chosen = written(candidate, ({ where, bounds, keys, backwards, size, head, offset }, on) => {
        const condition = conditionSql({ AND: [where, ...bounds] }, on);
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
      return writing.dynamic((variables) => {
        const request = asked(variables);
        if (!request) return undefined;
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
