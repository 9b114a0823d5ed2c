/**
 * The number of rows of a page. PostgreSQL gets it in the text of the statement: its planner estimates a bound LIMIT at
 * a tenth of the table, which looks so expensive that it plans the statement again for each execution. That takes a
 * quarter of the time of a page of documents. SQLite gets a bound value.
 */
import { Prisma } from '../../generated/sqlite/client.js';
import type { BoundValue, SqlBuilder } from './statement.js';

/** As part of a statement that is written once. */
export const limitOf = (writing: SqlBuilder, count: BoundValue): string =>
  writing.dialect.limitsInText
    ? writing.dynamic((variables) => {
        const rows = count(variables);
        return rows === undefined ? undefined : inText(Number(rows));
      })
    : writing.bind(count);

/** As part of a statement that is written for each request. */
export const limitSql = ({ limitsInText }: { limitsInText: boolean }, rows: number): Prisma.Sql =>
  limitsInText ? inText(rows) : Prisma.sql`${rows}`;

function inText(rows: number): Prisma.Sql {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is not a number of rows`);
  return Prisma.raw(String(rows));
}
