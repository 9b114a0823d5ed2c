/** Lists and the lines nested in them, by a statement of plain SQL for each. */
import type { Resource } from '../../../src/model/resource.js';
import type { ListAnswer } from './answer.js';
import { resourceNamed } from './columns.js';
import type { Plain } from './plain-database.js';
import { PlainSql } from './plain-sql.js';
import type { ListQuestion, NestedQuestion } from './question.js';

export async function listOf(plain: Plain, question: ListQuestion): Promise<ListAnswer> {
  const { where, orderBy, first, offset, goOn, nested } = question;
  const resource = resourceNamed(question.model);
  const sql = new PlainSql(plain.provider);
  const conditions = [sql.condition(resource, 't', where)];
  if (question.parentId !== undefined) conditions.push(`t."${resource.scope}" = ${sql.value('ID', question.parentId)}`);
  const standard = question.parentId === undefined ? 't."id" DESC' : 't."idx"';
  const order = orderBy.length > 0 ? [...sql.order(resource, 't', orderBy), 't."id" DESC'].join() : standard;
  const found = await plain.rows(
    `SELECT t."id" FROM "${resource.model}" t WHERE ${conditions.join(' AND ')} ORDER BY ${order}`,
    sql.values,
  );
  const ids = found.map(({ id }) => String(id));
  const page = ids.slice(offset, offset + first * (goOn ? 2 : 1));
  const lines = await Promise.all(nested.map((each) => linesOf(plain, resource, each)));
  return {
    total: ids.length,
    records: page.map((id) => ({ id, lines: lines.map((byParent) => byParent(id)) })),
    hasMore: ids.length > offset + page.length,
  };
}

/** The lines of each parent. */
async function linesOf(plain: Plain, parent: Resource, { field, where, orderBy, limit, offset }: NestedQuestion) {
  const lines = parent.lines.find((candidate) => candidate.field === field);
  if (!lines) throw new Error(`${parent.model} has no ${field}`);
  const sql = new PlainSql(plain.provider);
  const condition = sql.condition(lines.resource, 't', where);
  const order = orderBy.length > 0 ? [...sql.order(lines.resource, 't', orderBy), 't."id" DESC'].join() : 't."idx"';
  const rows = await plain.rows(
    `SELECT t."id", t."${lines.reference}" AS parent FROM "${lines.resource.model}" t WHERE ${condition} ORDER BY ${order}`,
    sql.values,
  );
  return (id: string) =>
    rows
      .filter((row) => row.parent === id)
      .map((row) => String(row.id))
      .slice(offset, offset + limit);
}
