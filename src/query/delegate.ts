/**
 * Accesses the Prisma client by resource. The generated delegates differ in all argument types, but the code serves all
 * 38 models, so the client is cast to one structural type, here and nowhere else.
 */
import { markedPattern } from '../database/ignored-case.js';
import type { PrismaClient } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { type Condition, escaped, exactNumber, exactNumbers } from './condition.js';

/** A stored record, or its selected columns. */
export type SelectedRecord = { id: string } & Record<string, unknown>;

/** The columns and relations to load, in Prisma's form. */
export interface Load {
  select?: object;
}

export type Where = Record<string, unknown>;
export type Order = Record<string, Direction | { sort: Direction; nulls: 'first' | 'last' }>[];
type Direction = 'asc' | 'desc';

interface Many {
  where?: Where;
  orderBy?: Order;
  take?: number;
  skip?: number;
}

/** Read methods only: records are written in `change/`, without Prisma's query compiler. */
export interface Delegate {
  findUnique(query: { where: Where } & Load): Promise<SelectedRecord | null>;
  findMany(query: Many & Load): Promise<SelectedRecord[]>;
}

/** The client, or the client of an open transaction. */
export type Client = Pick<PrismaClient, '$queryRaw'>;

export function delegate(client: Client, resource: Pick<Resource, 'delegate'>): Delegate {
  return (client as unknown as Record<string, Delegate>)[resource.delegate] as Delegate;
}

/** A condition for Prisma. @throws for one that only SQL can express (`isForSql`) */
export function whereOf(condition: Condition): Where {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const isAnd = condition.kind === 'and';
      const parts = condition.of.map(whereOf);
      // Prisma drops an empty `AND` or `OR`.
      return parts.length > 0 ? { [isAnd ? 'AND' : 'OR']: parts } : { id: { [isAnd ? 'notIn' : 'in']: [] } };
    }
    case 'lines':
      return { [condition.to.field]: { [condition.isNone ? 'none' : 'some']: whereOf(condition.condition) } };
    case 'parent': {
      const { to, orNone } = condition;
      const isLike = { [to.field]: { is: whereOf(condition.condition) } };
      return orNone ? { OR: [{ [to.reference]: null }, isLike] } : isLike;
    }
    case 'compare': {
      const { field, operator, value } = condition;
      const exact = typeof value === 'number' ? exactNumber(value) : value;
      return { [field]: { [operator === 'eq' ? 'equals' : operator === 'ne' ? 'not' : operator]: exact } };
    }
    case 'in':
      return { [condition.field]: { [condition.isNot ? 'notIn' : 'in']: exactNumbers(condition.values) } };
    case 'null':
      return { [condition.field]: condition.isNot ? { not: null } : null };
    case 'part': {
      const { field, operator, part, isNot } = condition;
      const text = escaped(part.text);
      const like = { [operator]: part.from === '' ? text : markedPattern({ ...part, text }) };
      return { [field]: isNot ? { not: like } : like };
    }
    default:
      throw new Error(`Only SQL can express the condition ${condition.kind}`);
  }
}
