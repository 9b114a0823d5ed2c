/**
 * Converts Prisma conditions to SQL, for statements that Prisma cannot express. The input is the result of `whereOf`,
 * so a filter means the same in both. Values are bound; names come from the models.
 */
import { readMarked } from '../database/ignored-case.js';
import { Prisma } from '../generated/sqlite/client.js';
import { isShortSql, type Link, type Resource, type WayBack } from '../model/resource.js';
import type { Where } from './delegate.js';
import { conditionOf, type Filter } from './filter.js';

/** Resolves the names in a condition. */
export interface ColumnResolver {
  column(name: string): Prisma.Sql;
  /** A subquery for the rows of a relation that fulfil `condition`; undefined for a column. */
  related(name: string, condition: Where): Prisma.Sql | undefined;
}

/** The records of a resource under an alias; those of relations get longer aliases (`t0r`, `t0rr` …). */
export function columnResolverOf(resource: Resource, alias = 't0'): ColumnResolver {
  const column = (name: string) => Prisma.raw(`${alias}."${name}"`);
  return {
    column,
    related: (name, condition) => {
      const lines = resource.lines.find(({ field }) => field === name);
      const parent = resource.parents.find(({ field }) => field === name);
      const link = resource.links.find(({ field }) => field === name);
      const to = lines?.resource ?? parent?.resource ?? link?.resource;
      if (!to) return undefined;
      const there = columnResolverOf(to, `${alias}r`);
      const owner = link ? Prisma.raw(namedIdSql(link, `${alias}."${link.text}"`, `${alias}n`)) : undefined;
      const isRelated = lines
        ? Prisma.sql`${there.column(lines.reference)} = ${column('id')}`
        : Prisma.sql`${there.column('id')} = ${owner ?? column(parent?.reference ?? '')}`;
      const from = Prisma.raw(`"${to.model}" AS ${alias}r`);
      return Prisma.sql`SELECT 1 FROM ${from} WHERE ${isRelated} AND ${conditionSql(condition, there)}`;
    },
  };
}

export function conditionSql(where: Where, ground: ColumnResolver): Prisma.Sql {
  return joined(
    Object.entries(where).map(([name, value]) => part(name, value, ground)),
    'AND',
  );
}

function part(name: string, value: unknown, ground: ColumnResolver): Prisma.Sql {
  if (name === 'AND' || name === 'OR') {
    return joined(
      asList(value).map((each) => conditionSql(entriesOf(each), ground)),
      name,
    );
  }
  const column = ground.column(name);
  if (value === null) return Prisma.sql`${column} IS NULL`;
  if (!isPlainObject(value)) return Prisma.sql`${column} = ${value}`;
  return joined(
    Object.entries(value).map(([operator, operand]) => {
      const rows = relational.has(operator) ? ground.related(name, entriesOf(operand)) : undefined;
      if (rows) return operator === 'none' ? Prisma.sql`NOT EXISTS (${rows})` : Prisma.sql`EXISTS (${rows})`;
      return comparison(column, operator, operand);
    }),
    'AND',
  );
}

const relational = new Set(['some', 'none', 'is']);

function comparison(column: Prisma.Sql, operator: string, operand: unknown): Prisma.Sql {
  switch (operator) {
    case 'in':
    case 'notIn': {
      const values = asList(operand);
      if (values.length === 0) return operator === 'in' ? never : always;
      return Prisma.sql`${column} ${operator === 'in' ? Prisma.sql`IN` : Prisma.sql`NOT IN`} (${Prisma.join(values)})`;
    }
    case 'short':
      return Prisma.raw(isShortSql(column.sql));
    case 'contains':
      return likeSql(column, `%${operand}%`);
    case 'startsWith':
      return likeSql(column, `${operand}%`);
    case 'endsWith':
      return likeSql(column, `%${operand}`);
    case 'not':
      if (operand === null) return Prisma.sql`${column} IS NOT NULL`;
      if (!isPlainObject(operand)) return Prisma.sql`${column} <> ${operand}`;
      return Prisma.sql`NOT ${joined(
        Object.entries(operand).map(([name, value]) => comparison(column, name, value)),
        'AND',
      )}`;
    default: {
      const sign = signs[operator];
      if (!sign) throw new Error(`No SQL is known for the condition ${operator}`);
      return Prisma.sql`${column} ${sign} ${operand}`;
    }
  }
}

function likeSql(column: Prisma.Sql, pattern: string): Prisma.Sql {
  const marked = readMarked(pattern);
  if (!marked) return Prisma.sql`${column} LIKE ${pattern}`;
  const { from, to, text } = marked;
  return Prisma.sql`translate(${column}, ${from}, ${to}) LIKE ${text}`;
}

const signs: Record<string, Prisma.Sql> = {
  lt: Prisma.sql`<`,
  lte: Prisma.sql`<=`,
  gt: Prisma.sql`>`,
  gte: Prisma.sql`>=`,
};

const always = Prisma.sql`TRUE`;
const never = Prisma.sql`FALSE`;

function joined(parts: Prisma.Sql[], word: 'AND' | 'OR'): Prisma.Sql {
  if (parts.length === 0) return word === 'AND' ? always : never;
  return parts.length === 1 && parts[0] ? parts[0] : Prisma.join(parts, ` ${word} `, '(', ')');
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const entriesOf = (value: unknown): Where => (isPlainObject(value) ? value : {});

/** An object of operators, not a value such as a date or a decimal. */
function isPlainObject(value: unknown): value is Where {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

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

// Conditions that follow links. Links may lead to other areas, and Prisma does not know them.

/** The types to which the condition follows links, at any depth. */
export function linkedIn(resource: Resource, where: Where): Set<Resource> {
  const found = new Set<Resource>();
  visitParts(resource, where, ({ link }) => link && found.add(link.resource));
  return found;
}

/** The same for a filter. */
export const linkedByFilter = (resource: Resource, filter: Filter | null | undefined): Set<Resource> =>
  linkedIn(resource, conditionOf(resource, filter));

/**
 * The condition that the text of a link is `named`, written so that an index finds it. For undefined it is never true.
 */
export const namingWhere = ({ text }: Link, named: unknown): Where =>
  named === undefined ? { id: { in: [] } } : { AND: [{ [text]: named }, { [text]: { short: true } }] };

/** Whether only `conditionSql` can write a condition. */
export function isForSql(resource: Resource, where: Where): boolean {
  let isFound = false;
  visitParts(resource, where, ({ link, value }) => {
    isFound ||= link !== undefined || 'short' in value;
  });
  return isFound;
}

/** A field in a condition, or what leads to other records. */
interface Part {
  value: object;
  /** Given if the field is that of a link. */
  link: Link | undefined;
}

function visitParts(resource: Resource, where: unknown, onPart: (part: Part) => void): void {
  if (typeof where !== 'object' || where === null) return;
  for (const [name, value] of Object.entries(where)) {
    if (name === 'AND' || name === 'OR') {
      for (const each of Array.isArray(value) ? value : [value]) visitParts(resource, each, onPart);
      continue;
    }
    if (typeof value !== 'object' || value === null) continue;
    const link = resource.links.find(({ field }) => field === name);
    onPart({ value, link });
    const to = link ?? [...resource.lines, ...resource.parents].find(({ field }) => field === name);
    if (to) for (const condition of Object.values(value)) visitParts(to.resource, condition, onPart);
  }
}
