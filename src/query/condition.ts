/**
 * What is asked of records: a tree of comparisons. It is written here as SQL, in `delegate.ts` for Prisma; records of the past and
 * streams are decided by it in this process, and it is looked through for what it leads to.
 */
import type { IgnoredCase } from '../database/ignored-case.js';
import { Prisma } from '../generated/sqlite/client.js';
import { isShortSql, type Lines, type Link, type Parent, type Resource, type WayBack } from '../model/resource.js';

export type Condition = Joined | Comparison | Related;

/** All of them, or one of them at least: without any, it is always true or never. */
interface Joined {
  kind: 'and' | 'or';
  of: readonly Condition[];
}

/** A condition on one field. All but `null` are false where there is no value, also those with `isNot`. */
export type Comparison = { field: string } & (
  | { kind: 'compare'; operator: Sign; value: unknown }
  | { kind: 'in'; values: readonly unknown[]; isNot: boolean }
  | { kind: 'part'; operator: TextOperator; part: IgnoredCase; isNot: boolean }
  | { kind: 'null'; isNot: boolean }
  /** The text is short enough to name a record; only SQL asks for it, so that an index finds it. */
  | { kind: 'short' }
);

/** A condition on other records. */
type Related = { condition: Condition } /** One of the lines fulfils it; with `isNone` none of them. */ & (
  | { kind: 'lines'; to: Lines; isNone: boolean }
  /** The linked record fulfils it; with `isNone` it does not, or there is none. Prisma does not know links. */
  | { kind: 'link'; to: Link; isNone: boolean }
  /** The parent fulfils it; with `orNone` also where there is none. */
  | { kind: 'parent'; to: Parent; orNone: boolean }
);

export const everything: Condition = { kind: 'and', of: [] };
export const never: Condition = { kind: 'or', of: [] };

export const isEverything = (condition: Condition): boolean => condition.kind === 'and' && condition.of.length === 0;

export const allOf = (...of: readonly Condition[]): Condition => joined('and', of);
export const anyOf = (...of: readonly Condition[]): Condition => joined('or', of);

export function joined(kind: Joined['kind'], given: readonly Condition[]): Condition {
  // Of nothing: it is true among others that all have to be, and false among those of which one has to be.
  const of = given.some((each) => isOfNone(kind, each)) ? given.filter((each) => !isOfNone(kind, each)) : given;
  const [only] = of;
  return only && of.length === 1 ? only : { kind, of };
}

const isOfNone = (kind: Joined['kind'], condition: Condition): boolean =>
  condition.kind === kind && condition.of.length === 0;

export const equals = (field: string, value: unknown): Condition =>
  value === null ? { kind: 'null', field, isNot: false } : { kind: 'compare', field, operator: 'eq', value };

/** All comparisons and relations in a condition, at any depth. */
export function leavesOf(condition: Condition, found: (Comparison | Related)[] = []): (Comparison | Related)[] {
  if ('of' in condition) for (const each of condition.of) leavesOf(each, found);
  else {
    found.push(condition);
    if ('to' in condition) leavesOf(condition.condition, found);
  }
  return found;
}

/** The types to which a condition follows links, at any depth. They may be of other areas. */
export const linkedIn = (condition: Condition): ReadonlySet<Resource> =>
  new Set(leavesOf(condition).flatMap((leaf) => (leaf.kind === 'link' ? leaf.to.resource : [])));

/** Whether only SQL can express a condition. */
export const isForSql = (condition: Condition): boolean =>
  leavesOf(condition).some(({ kind }) => kind === 'link' || kind === 'short');

/** The condition that the text of a link is `named`, written so that an index finds it. For undefined it is never true. */
export const namingCondition = ({ text }: Link, named: unknown): Condition =>
  named === undefined ? never : allOf(equals(text, named), { kind: 'short', field: text });

export const textOperators = ['contains', 'startsWith', 'endsWith'] as const;

export type TextOperator = (typeof textOperators)[number];

// Conditions as SQL. Values are bound; names come from the models.

/** As part of a pattern of LIKE; both databases use the backslash as escape. */
export const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

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
    case 'parent': {
      const isThere = Prisma.sql`EXISTS (${relatedSql(condition, ground)})`;
      if (condition.kind !== 'parent') return condition.isNone ? Prisma.sql`NOT ${isThere}` : isThere;
      return condition.orNone ? Prisma.sql`(${ground.column(condition.to.reference)} IS NULL OR ${isThere})` : isThere;
    }
    default:
      return comparisonSql(condition, ground.column(condition.field));
  }
}

function joinedSql(of: readonly Condition[], word: string, ofNone: Prisma.Sql, ground: Ground): Prisma.Sql {
  const parts = of.map((each) => conditionSql(each, ground));
  return parts.length > 1 ? Prisma.join(parts, word, '(', ')') : (parts[0] ?? ofNone);
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

const signs = {
  eq: Prisma.sql`=`,
  ne: Prisma.sql`<>`,
  lt: Prisma.sql`<`,
  lte: Prisma.sql`<=`,
  gt: Prisma.sql`>`,
  gte: Prisma.sql`>=`,
};

export type Sign = keyof typeof signs;

const isTrue = Prisma.sql`TRUE`;
const isFalse = Prisma.sql`FALSE`;

// Numbers in conditions, which Prisma would not send as they are.

/**
 * Converts a number for a Float field so that Prisma stores it exactly. Prisma writes integers beyond 32 bits into the
 * text of its query plan. There those beyond 64 bits lose digits (1.0987392948039692e278 becomes 1.098739294803969e278,
 * the largest double Infinity), and each value makes a new plan. A decimal is passed as a parameter.
 */
export function exactNumber(value: number): number | Prisma.Decimal {
  return isBeyondInt32(value) ? new Prisma.Decimal(value) : value;
}

/**
 * Converts the values of a list that is compared with a Float field. In a list with a decimal, Prisma shortens plain
 * numbers (0.30000000000000004 becomes 0.3), so if one value has to be a decimal, all are.
 */
export function exactNumbers(values: readonly unknown[]): unknown[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (!numbers.some(isBeyondInt32)) return [...values];
  return values.map((value) => (typeof value === 'number' ? new Prisma.Decimal(value) : value));
}

const isBeyondInt32 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) > MOST_INT32;

const MOST_INT32 = 2 ** 31 - 1;

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
