/**
 * Recognises bounded reads among the statements of Prisma: a few records by their ids, the lines of a few parents, and
 * a page of a list in the order of its ids. An index limits their cost, whatever the size of the tables. Any other form
 * counts as unbounded, which is slower for that request but never blocks others.
 */
import type { SqlQuery } from '@prisma/driver-adapter-utils';
import { WeighedCache } from '../../../common/weighed-cache.js';
import type { SqliteConnection } from '../sqlite-connection.js';

/** Marks a hand-written statement as bounded. */
export const boundedMark = '/* bounded */';

/** Rows that a bounded page may skip, which takes less than half a millisecond. */
export const mostSkipped = 10_000;

/** The longest list of ids of a bounded read. */
const mostIds = 100;

/** The capacity for remembered statements, in characters. */
const charactersKept = 500_000;

type ReadForm = 'bounded' | 'page' | 'unbounded';

/** Returns a test for whether a query is bounded, by its form and by its query plan on `connection`. */
export function createBoundedReadTest(connection: SqliteConnection): (query: SqlQuery) => boolean {
  const known = new WeighedCache<ReadForm>(charactersKept, (sql) => sql.length);
  return (query) => {
    const { sql, args } = query;
    let form = known.get(sql);
    if (form === undefined) {
      form = formOf(query, connection);
      known.set(sql, form);
    }
    // A page ends with LIMIT ? OFFSET ?, so its last value is the offset.
    return form === 'page' ? Number(args.at(-1)) <= mostSkipped : form === 'bounded';
  };
}

function formOf(query: SqlQuery, connection: SqliteConnection): ReadForm {
  const { sql } = query;
  if (sql.includes(boundedMark)) return 'bounded';
  const inner = counted.exec(sql)?.[1] ?? sql;
  const [, table, where, order = ''] = selected.exec(inner) ?? [];
  if (!table || !where) return 'unbounded';
  const plainly = (text: string) => text.replaceAll(`\`main\`.\`${table}\`.`, '');
  const conditions = plainly(where).split(' AND ').map(withoutBrackets);
  if (!conditions.every((condition) => harmless.test(condition) || isKey(condition))) return 'unbounded';
  if (!/^(`(id|idx)` (ASC|DESC))?$/.test(plainly(order))) return 'unbounded';
  if (conditions.some(isKey)) return usesIndex(query, connection) ? 'bounded' : 'unbounded';
  return inner === sql && /^`id` /.test(plainly(order)) ? 'page' : 'unbounded';
}

/** Whether the query plan finds all rows by the leading column of an index. */
function usesIndex({ sql, args }: SqlQuery, connection: SqliteConnection): boolean {
  const plan = { sql: `EXPLAIN QUERY PLAN ${sql}`, args: args.map(() => null), argTypes: [] };
  const details = connection.query(plan).rows.map((step) => String(step.at(-1)));
  return details.every((detail) => /^(SEARCH \S+ USING .*\(\w+=\?|CO-ROUTINE|SCAN sub$|USE TEMP B-TREE)/.test(detail));
}

/** Removes the brackets around groups, because an AND of ANDs is one AND. The brackets of a list of values stay. */
function withoutBrackets(condition: string): string {
  let start = 0;
  while (condition[start] === '(') start++;
  let end = condition.length;
  while (condition[end - 1] === ')') end--;
  const text = condition.slice(start, end);
  return /^`\w+` IN \(/.test(text) ? `${text})` : text;
}

/** Matches a count or sum over the rows of a subquery. */
const counted = /^SELECT (?:COUNT|SUM)\([^)]*\) AS `[^`]*` FROM \((SELECT .*)\) AS `sub`$/;
const selected =
  /^SELECT (?:`main`\.`\w+`\.`\w+`(?:, )?)+ FROM `main`\.`(\w+)` WHERE (.*?)(?: ORDER BY (.*))? LIMIT \? OFFSET \?$/;

/** Conditions that only narrow down the rows found by a key or an order. */
const harmless = /^(1=1|`revokedAt` IS NULL|`(id|idx)` [<>]=? \?)$/;

function isKey(condition: string): boolean {
  const values = /^`\w+` (?:= (\?)|IN \((NULL|\?(?:,\?)*)\))$/.exec(condition);
  return values !== null && (values[2] ?? '').split(',').length <= mostIds;
}
