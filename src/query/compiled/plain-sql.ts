/** The SQL of a plain list, written once for each combination of optional arguments. */
import type { Resource } from '../../model/resource.js';
import { limitOf } from '../sql/limit.js';
import { frameBytes, recordObject } from '../sql/record-object.js';
import { rowCounted } from '../sql/size-conditions.js';
import type { SqlBuilder } from '../sql/statement.js';
import { idAtOffset, offsetBlockSql } from './offset-block.js';
import type { PageTemplate } from './page-template.js';
import type { ListArguments } from './plain-list-arguments.js';

/** Which optional arguments a statement has. */
export interface Variant {
  isAfter: boolean;
  isOffset: boolean;
}

/** Whether to read one row more than the page to know if records follow; not needed if the total shows it. */
export const takesOneMore = ({ needsNext, needsTotal }: PageTemplate, isAfter: boolean): boolean =>
  needsNext && (isAfter || !needsTotal);

/** A row for each record of the page: its objects, the total, and the values of its cursor. */
export function rowsSql(
  writing: SqlBuilder,
  resource: Resource,
  frame: PageTemplate,
  given: ListArguments,
  { isAfter, isOffset }: Variant,
): string {
  const { bind } = writing;
  const { model, scope } = resource;
  const row = writing.table();
  const isFromNearerEnd = isOffset && !isAfter && !scope;
  const objects = frame.nodes.map((_, index) => `item${index}`);
  const total = () => (isFromNearerEnd ? '(SELECT total FROM counted)' : totalSql(writing, resource, given));
  const columns = [
    ...frame.nodes.map((records, index) => `${recordObject(writing, records, row, 'many')} AS ${objects[index]}`),
    `${frame.needsTotal ? total() : 'NULL'} AS counted`,
    `${row}."id"`,
    ...(scope ? [`${row}."idx"`] : []),
  ];
  const rows = `SELECT ${columns.join(', ')} FROM "${model}" AS ${row}`;
  const shown = [...objects.map(writing.dialect.text), 'counted', '"id"', ...(scope ? ['"idx"'] : [])];
  const counted = (page: string) =>
    `SELECT ${shown.join(', ')} FROM (${page}) AS page WHERE ${rowCounted(
      writing,
      objects,
      frame.nodes.reduce((bytes, records) => bytes + frameBytes(writing, records, 'many'), 0),
    )}`;
  const limit = `LIMIT ${limitOf(writing, (variables) => {
    const size = given.size(variables);
    return typeof size === 'number' ? size + (takesOneMore(frame, isAfter) ? 1 : 0) : undefined;
  })}`;
  if (scope) {
    return counted(`${rows} WHERE ${row}."${scope}" = ${bind(given.parentId)} AND ${row}."idx" > ${bind(given.offset)}
      ORDER BY ${row}."idx" ${limit}`);
  }
  const page = `ORDER BY ${row}."id" DESC ${limit}`;
  const behind = (name: string) => (isAfter ? `WHERE ${name}."id" < ${bind(given.after)}` : '');
  if (!isOffset) return counted(`${rows} ${behind(row)} ${page}`);
  // Skipped rows are read from the index only, without building JSON. The page itself is another range of the index,
  // which a query planner cannot turn into a join with the whole table.
  if (isFromNearerEnd) {
    return `WITH ${offsetBlockSql(writing, resource, given.offset, totalSql(writing, resource, given))}
      ${counted(`${rows} WHERE ${row}."id" <= ${idAtOffset(writing, resource, given.offset)} ${page}`)}`;
  }
  const first = writing.table();
  return counted(`${rows} WHERE ${row}."id" <= (
      SELECT ${first}."id" FROM "${model}" AS ${first} ${behind(first)} ORDER BY ${first}."id" DESC
      LIMIT 1 OFFSET ${bind(given.offset)}
    ) ${page}`);
}

export function totalSql({ bind, table }: SqlBuilder, { model, scope }: Resource, { parentId }: ListArguments): string {
  if (!scope) return `(SELECT sum("count") FROM "RecordCount" WHERE "model" = '${model}')`;
  const line = table();
  return `(SELECT count(*) FROM "${model}" AS ${line} WHERE ${line}."${scope}" = ${bind(parentId)})`;
}
