/**
 * The Prisma client by resource. The generated delegates differ in every argument type, so code that serves all 38
 * models needs one structural type for them; this file is where the client is loosened to it, and the only place.
 */
import type { PrismaClient } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';

/** A stored record, or the columns selected of it. */
export type Row = { id: string } & Record<string, unknown>;

/** What of a record to load: columns and relations, as Prisma takes them. */
export interface Selection {
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

/** What reads. Records are written in `change/` alone, past Prisma. */
export interface Delegate {
  findUnique(query: { where: Where } & Selection): Promise<Row | null>;
  findFirst(query: Many & Selection): Promise<Row | null>;
  findMany(query: Many & Selection): Promise<Row[]>;
  count(query: { where?: Where }): Promise<number>;
}

/** The client, or the client of an open transaction. */
export type Client = Pick<PrismaClient, '$queryRaw'>;

export function delegate(client: Client, resource: Pick<Resource, 'delegate'>): Delegate {
  return (client as unknown as Record<string, Delegate>)[resource.delegate] as Delegate;
}
