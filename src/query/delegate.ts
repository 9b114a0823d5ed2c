/**
 * Accesses the Prisma client by resource. The generated delegates differ in all argument types, but the code serves all
 * 38 models, so the client is cast to one structural type, here and nowhere else.
 */
import type { PrismaClient } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';

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
  findFirst(query: Many & Load): Promise<SelectedRecord | null>;
  findMany(query: Many & Load): Promise<SelectedRecord[]>;
  count(query: { where?: Where }): Promise<number>;
}

/** The client, or the client of an open transaction. */
export type Client = Pick<PrismaClient, '$queryRaw'>;

export function delegate(client: Client, resource: Pick<Resource, 'delegate'>): Delegate {
  return (client as unknown as Record<string, Delegate>)[resource.delegate] as Delegate;
}
