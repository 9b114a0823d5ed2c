/** How SQL finds the record that a text names, and the records whose texts name a record. Both are found by an index. */
import { isShortSql } from '../model/links.js';
import type { Link, WayBack } from '../model/resource.js';

/**
 * The id of the record that a text names, as SQL for the column `text`; it may be the id of no record. Of records that
 * share what they are named by, the newest is meant. `other` is an alias that the statement uses nowhere else.
 */
export function namedIdSql({ resource, by }: Link, text: string, other: string): string {
  if (by === 'id') return text;
  const column = `${other}."${by}"`;
  return `(SELECT ${other}."id" FROM "${resource.model}" AS ${other}
    WHERE ${column} = ${text} AND ${isShortSql(column)} ORDER BY ${other}."id" DESC LIMIT 1)`;
}

/** The condition that the link of the row `naming` gives the row `named`: of records that share a text, only the newest. */
export function namesSql({ link }: WayBack, naming: string, named: string, other: string): string {
  const text = `${naming}."${link.text}"`;
  const value = `${named}."${link.by}"`;
  const isNamed = `${text} = ${value} AND ${isShortSql(text)}`;
  return link.by === 'id' ? isNamed : `${isNamed} AND ${named}."id" = ${namedIdSql(link, value, other)}`;
}
