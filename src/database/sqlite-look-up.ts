/**
 * Which of the reads that come through Prisma are bounded by an index, whatever the size of the tables: those of a few
 * records by their ids, of the lines of a few parents, and of a page of a list in the order of its ids. Whatever has
 * another form is taken to be unbounded, so a form that is not known here costs time, and holds up nobody.
 */
import type { SqlQuery } from '@prisma/driver-adapter-utils';
import { WeighedCache } from '../weighed-cache.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** Stands in a statement of our own that whoever wrote it knows to be bounded. */
export const boundedMark = '/* bounded */';

/** Rows that a page may skip, which takes less than half a millisecond. */
export const mostSkipped = 10_000;

/** Values that a list of ids may hold. */
const mostIds = 100;

/** Of the statements whose form is remembered. */
const charactersKept = 500_000;

type Form = 'bounded' | 'page' | 'unbounded';

/** Tells of a query whether it is one of those, by its form and by the plan that `connection` has for it. */
export function createLookUps(connection: SqliteConnection): (query: SqlQuery) => boolean {
  const known = new WeighedCache<Form>(charactersKept, (sql) => sql.length);
  return (query) => {
    const { sql, args } = query;
    let form = known.get(sql);
    if (form === undefined) {
      form = formOf(query, connection);
      known.set(sql, form);
    }
    // A page ends with LIMIT ? OFFSET ?.
    return form === 'page' ? Number(args.at(-1)) <= mostSkipped : form === 'bounded';
  };
}

function formOf(query: SqlQuery, connection: SqliteConnection): Form {
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

/** Whether all rows are found in indexes, by what these begin with. */
function usesIndex({ sql, args }: SqlQuery, connection: SqliteConnection): boolean {
  const plan = { sql: `EXPLAIN QUERY PLAN ${sql}`, args: args.map(() => null), argTypes: [] };
  const details = connection.query(plan).rows.map((step) => String(step.at(-1)));
  return details.every((detail) => /^(SEARCH \S+ USING .*\(\w+=\?|CO-ROUTINE|SCAN sub$|USE TEMP B-TREE)/.test(detail));
}

/** The condition without the brackets around groups: an AND of ANDs is one. Those of a list of values stay. */
function withoutBrackets(condition: string): string {
  let start = 0;
  while (condition[start] === '(') start++;
  let end = condition.length;
  while (condition[end - 1] === ')') end--;
  const text = condition.slice(start, end);
  return /^`\w+` IN \(/.test(text) ? `${text})` : text;
}

/** A count or a sum of the rows of another statement. */
const counted = /^SELECT (?:COUNT|SUM)\([^)]*\) AS `[^`]*` FROM \((SELECT .*)\) AS `sub`$/;
const selected =
  /^SELECT (?:`main`\.`\w+`\.`\w+`(?:, )?)+ FROM `main`\.`(\w+)` WHERE (.*?)(?: ORDER BY (.*))? LIMIT \? OFFSET \?$/;

/** Conditions that only narrow down what a key or an order has found. */
const harmless = /^(1=1|`revokedAt` IS NULL|`(id|idx)` [<>]=? \?)$/;

function isKey(condition: string): boolean {
  const values = /^`\w+` (?:= (\?)|IN \((NULL|\?(?:,\?)*)\))$/.exec(condition);
  return values !== null && (values[2] ?? '').split(',').length <= mostIds;
}
