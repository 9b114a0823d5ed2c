/** Groups and their measures, by one statement of plain SQL. */
import type { Resource } from '../../../src/model/resource.js';
import type { GroupsAnswer } from './answer.js';
import { type Column, columnNamed, resourceNamed } from './columns.js';
import type { Plain } from './plain-database.js';
import { PlainSql } from './plain-sql.js';
import { type AggregateQuestion, type Filter, orderName } from './question.js';

export async function groupsOf(plain: Plain, question: AggregateQuestion): Promise<GroupsAnswer> {
  const { where, groupBy, measures, having, orderBy, first, offset } = question;
  const resource = resourceNamed(question.model);
  const sql = new PlainSql(plain.provider);
  const keys = groupBy.map(({ field, by }) => {
    const column = sql.column('t', columnNamed(resource, field));
    return by ? `substr(${column}, 1, ${{ YEAR: 4, MONTH: 7, DAY: 10 }[by]})` : column;
  });
  const measured = measures.map(({ of, field }) => measureOf(sql, of, columnNamed(resource, orderName(field))));
  const condition = sql.condition(resource, 't', where);
  const kept = havingOf(sql, resource, having);
  const order = [
    ...orderBy.map(({ measure, field, direction, nulls }) => {
      const key = keys[groupBy.findIndex((each) => each.field === field)];
      const by = measure ? measureOf(sql, measure.toLowerCase(), columnNamed(resource, field)) : key;
      return `${by} ${direction} NULLS ${nulls}`;
    }),
    ...keys.map((key, index) => `${key} ${groupBy[index]?.direction} NULLS ${groupBy[index]?.nulls}`),
  ];
  const selected = ['count(*)', ...keys, ...measured].map((expression, index) => `${expression} AS c${index}`);
  const rows = await plain.rows(
    [
      `SELECT ${selected.join()} FROM "${resource.model}" t WHERE ${condition}`,
      keys.length > 0 ? `GROUP BY ${keys.join()}` : '',
      kept === 'TRUE' ? '' : `HAVING ${kept}`,
      order.length > 0 ? `ORDER BY ${order.join()}` : '',
      `LIMIT ${first + 1} OFFSET ${offset}`,
    ].join(' '),
    sql.values,
  );
  const columns = [
    ...groupBy.map(({ field }) => columnNamed(resource, field)),
    ...measures.map(({ field }) => columnNamed(resource, orderName(field))),
  ];
  return {
    groups: rows.slice(0, first).map((row) => ({
      count: Number(row.c0),
      values: columns.map(({ type }, index) => {
        const value = row[`c${index + 1}`];
        if (value === null || value === undefined) return null;
        if (type === 'Boolean') return Boolean(value);
        return type === 'Float' || type === 'Int' ? Number(value) : String(value);
      }),
    })),
    hasMore: rows.length > first,
  };
}

function measureOf(sql: PlainSql, of: string, column: Column): string {
  if (of === 'count') return 'count(*)';
  const expression = sql.column('t', column);
  // PostgreSQL would round the average of integers to a decimal.
  return of === 'sum' || of === 'avg' ? `${of}(CAST(${expression} AS DOUBLE PRECISION))` : `${of}(${expression})`;
}

/** All comparisons of measures; and, or, not of such conditions. */
function havingOf(sql: PlainSql, resource: Resource, having: Filter): string {
  const parts = Object.entries(having).flatMap(([name, value]) => {
    if (name === 'not') return [`NOT ${havingOf(sql, resource, Object(value))}`];
    if (Array.isArray(value)) {
      const each = value.map((one) => havingOf(sql, resource, Object(one)));
      return [each.length > 0 ? `(${each.join(` ${name} `)})` : name === 'and' ? 'TRUE' : 'FALSE'];
    }
    if (name === 'count') return [sql.comparisons('count(*)', 'Int', Object(value))];
    const column = columnNamed(resource, orderName(name));
    return Object.entries(Object(value)).map(([of, condition]) => {
      const type = of === 'sum' || of === 'avg' ? 'Float' : column.type;
      return sql.comparisons(measureOf(sql, of, column), type, Object(condition));
    });
  });
  return parts.length > 0 ? `(${parts.join(' AND ')})` : 'TRUE';
}
