/** Conditions as SQL. Values are bound; names come from the models. */
import { exactNumber, exactNumbers } from '../database/exact-number.js';
import { Prisma } from '../generated/sqlite/client.js';
import { isShortSql, type Link, type WayBack } from '../model/resource.js';
import { type Comparison, type Condition, escaped, type Related, type Sign } from './filter.js';

/** The rows that a condition is about: the alias of their table, and what the names of their fields are in SQL. */
export interface Ground {
  alias: string;
  column(name: string): Prisma.Sql;
}

/** The records of a table under an alias; those of relations get longer aliases (`t0r`, `t0rr` …). */
export const groundOf = (alias = 't0'): Ground => ({ alias, column: (name) => Prisma.raw(`${alias}."${name}"`) });

export function conditionSql(condition: Condition, ground: Ground): Prisma.Sql {
  switch (condition.kind) {
    case 'and':
      return joinedSql(condition.of, ' AND ', isTrue, ground);
    case 'or':
      return joinedSql(condition.of, ' OR ', isFalse, ground);
    case 'lines':
    case 'link':
      return condition.isNone
        ? Prisma.sql`NOT EXISTS (${relatedSql(condition, ground)})`
        : Prisma.sql`EXISTS (${relatedSql(condition, ground)})`;
    case 'parent': {
      const isLike = Prisma.sql`EXISTS (${relatedSql(condition, ground)})`;
      return condition.orNone ? Prisma.sql`(${ground.column(condition.to.reference)} IS NULL OR ${isLike})` : isLike;
    }
    default:
      return comparisonSql(condition, ground.column(condition.field));
  }
}

function joinedSql(of: readonly Condition[], word: string, ofNone: Prisma.Sql, ground: Ground): Prisma.Sql {
  const [first = ofNone, ...others] = of.map((each) => conditionSql(each, ground));
  return others.length === 0 ? first : Prisma.join([first, ...others], word, '(', ')');
}

/** A query for the records of a relation that fulfil its condition. */
function relatedSql(related: Related, { alias }: Ground): Prisma.Sql {
  const there = groundOf(`${alias}r`);
  const { model } = related.to.resource;
  return Prisma.sql`SELECT 1 FROM ${Prisma.raw(`"${model}" AS ${there.alias} WHERE ${isRelated()}`)} AND ${conditionSql(related.condition, there)}`;

  function isRelated(): string {
    switch (related.kind) {
      case 'lines':
        return `${there.alias}."${related.to.reference}" = ${alias}."id"`;
      case 'parent':
        return `${there.alias}."id" = ${alias}."${related.to.reference}"`;
      case 'link':
        return `${there.alias}."id" = ${namedIdSql(related.to, `${alias}."${related.to.text}"`, `${alias}n`)}`;
    }
  }
}

function comparisonSql(comparison: Comparison, column: Prisma.Sql): Prisma.Sql {
  switch (comparison.kind) {
    case 'compare': {
      const { operator, value } = comparison;
      return Prisma.sql`${column} ${signs[operator]} ${typeof value === 'number' ? exactNumber(value) : value}`;
    }
    case 'in': {
      const { values, isNot } = comparison;
      if (values.length === 0) return isNot ? isTrue : isFalse;
      return Prisma.sql`${column} ${isNot ? Prisma.sql`NOT IN` : Prisma.sql`IN`} (${Prisma.join(exactNumbers(values))})`;
    }
    case 'null':
      return comparison.isNot ? Prisma.sql`${column} IS NOT NULL` : Prisma.sql`${column} IS NULL`;
    case 'short':
      return Prisma.raw(isShortSql(column.sql));
    case 'part': {
      const { operator, part, isNot } = comparison;
      const { from, to, text } = part;
      const pattern = `${operator === 'startsWith' ? '' : '%'}${escaped(text)}${operator === 'endsWith' ? '' : '%'}`;
      const compared = from === '' ? column : Prisma.sql`translate(${column}, ${from}, ${to})`;
      return Prisma.sql`${isNot ? Prisma.sql`NOT ` : Prisma.empty}${compared} LIKE ${pattern}`;
    }
  }
}

const signs: Record<Sign, Prisma.Sql> = {
  eq: Prisma.sql`=`,
  ne: Prisma.sql`<>`,
  lt: Prisma.sql`<`,
  lte: Prisma.sql`<=`,
  gt: Prisma.sql`>`,
  gte: Prisma.sql`>=`,
};

const isTrue = Prisma.sql`TRUE`;
const isFalse = Prisma.sql`FALSE`;

// How SQL finds the record that a text names, and the records whose texts name a record. Both are found by an index.

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
