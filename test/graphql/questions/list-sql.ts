/** Lists and the lines nested in them, by a statement of plain SQL for each. */
import type { Resource } from '../../../src/model/resource.js';
import type { ListAnswer } from './answer.js';
import { resourceNamed } from './columns.js';
import type { Plain } from './plain-database.js';
import { PlainSql } from './plain-sql.js';
import type { ListQuestion, NestedQuestion } from './question.js';

export async function listOf(plain: Plain, question: ListQuestion): Promise<ListAnswer> {
  const { where, orderBy, first, offset, goOn, nested, connections, links } = question;
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
  const lines = await Promise.all([
    ...nested.map((each) => listWithin(plain, resource, each, 'plain')),
    ...connections.map((each) => listWithin(plain, resource, each, 'counted')),
    ...links.map((field) => linkedOf(plain, resource, field)),
  ]);
  return {
    total: ids.length,
    records: page.map((id) => ({ id, lines: lines.map((byParent) => byParent(id)) })),
    hasMore: ids.length > offset + page.length,
  };
}

/** The list of each record: its lines, or the records that name it; their number comes first if it is counted. */
async function listWithin(
  plain: Plain,
  record: Resource,
  { field, where, orderBy, limit, offset }: NestedQuestion,
  form: 'plain' | 'counted',
) {
  const sql = new PlainSql(plain.provider);
  const lines = record.lines.find((candidate) => candidate.field === field);
  const wayBack = record.waysBack.find((candidate) => candidate.field === field);
  const resource = (lines ?? wayBack)?.resource;
  if (!resource) throw new Error(`${record.model} has no ${field}`);
  const isWithin = lines ? `t."${lines.reference}" = p."id"` : wayBack ? sql.names(wayBack.link, 't', 'p') : '';
  const condition = sql.condition(resource, 't', where);
  const standard = lines ? 't."idx"' : 't."id" DESC';
  const order = orderBy.length > 0 ? [...sql.order(resource, 't', orderBy), 't."id" DESC'].join() : standard;
  const rows = await plain.rows(
    `SELECT t."id", p."id" AS parent FROM "${resource.model}" t, "${record.model}" p WHERE ${isWithin} AND ${condition} ORDER BY ${order}`,
    sql.values,
  );
  return (id: string) => {
    const ids = rows.filter((row) => row.parent === id).map((row) => String(row.id));
    const page = ids.slice(offset, offset + limit);
    return form === 'counted' ? [String(ids.length), ...page] : page;
  };
}

/** The record that each record names, if there is one. */
async function linkedOf(plain: Plain, record: Resource, field: string) {
  const link = record.links.find((candidate) => candidate.field === field);
  if (!link) throw new Error(`${record.model} has no ${field}`);
  const sql = new PlainSql(plain.provider);
  const rows = await plain.rows(
    `SELECT t."id", p."id" AS naming FROM "${link.resource.model}" t, "${record.model}" p WHERE ${sql.names(link, 'p', 't')}`,
    sql.values,
  );
  return (id: string) => rows.filter((row) => row.naming === id).map((row) => String(row.id));
}
