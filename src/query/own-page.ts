/**
 * A page of a list that the gateway keeps for itself, such as its keys, newest first: by cursor or by offset, from either end, as
 * lists of records have them. Nothing is read before it is needed.
 */
import { errors } from '../model/errors/errors.js';
import { endOf, extentOf, lazy, type PageArguments, refusePageProblems } from './page.js';

/** The place of a row: by its time and its id, or by an id that rises. */
interface Place {
  id: string;
  createdAt?: Date;
}

interface Condition {
  createdAt?: Date | { lt: Date } | { gt: Date };
  id?: { lt: string } | { gt: string };
}

export interface OwnRange {
  /** Each of them holds for one of its conditions. */
  where: { OR: Condition[] }[];
  order: 'asc' | 'desc';
  take: number;
  skip: number;
}

export interface OwnList<Row> {
  /** What its cursors begin with, so that no other list takes them. */
  name: string;
  /** Whether rows have a time that decides before the id. */
  isTimed: boolean;
  read(range: OwnRange): Promise<Row[]>;
  count(): Promise<number>;
}

export interface OwnPage<Row> {
  cursor(row: Row): string;
  rows(): Promise<Row[]>;
  total(): Promise<number>;
  hasNextPage(): Promise<boolean>;
  hasPreviousPage(): Promise<boolean>;
}

/** @throws BAD_USER_INPUT for a cursor of another list, or for `offset` together with `last` */
export function ownPage<Row extends Place>(list: OwnList<Row>, given: PageArguments): OwnPage<Row> {
  refusePageProblems(given);
  const extent = extentOf(given);
  const { backwards, size, head, isOpen } = extent;
  const placeAt = (argument: 'after' | 'before'): Place[] => {
    const cursor = given[argument];
    return cursor == null ? [] : [placeOf(cursor, argument, list)];
  };
  const where = [
    ...placeAt('after').map((place) => beyond(place, 'lt')),
    ...placeAt('before').map((place) => beyond(place, 'gt')),
  ];
  const order = backwards ? 'asc' : 'desc';
  const read = lazy(() => list.read({ where, order, take: (head ?? size) + 1, skip: given.offset ?? 0 }));
  /** The rows of the page and the next one. */
  const found = async () => endOf(await read(), extent);
  const more = async () => (await found()).length > size;
  const goesOn = async () => {
    if (!isOpen) return head !== undefined && (await read()).length > size;
    const [edge] = await read();
    const bounds = edge ? [beyond(edge, backwards ? 'lt' : 'gt')] : [];
    const rest = { where: bounds, order: backwards ? 'desc' : 'asc', take: 1, skip: 0 } as const;
    return (await list.read(rest)).length > 0;
  };
  return {
    cursor: ({ id, createdAt }) => `${list.name}.${list.isTimed ? `${createdAt?.getTime()}_${id}` : id}`,
    async rows() {
      const page = (await found()).slice(0, size);
      return backwards ? page.reverse() : page;
    },
    total: lazy(() => list.count()),
    hasNextPage: backwards ? goesOn : more,
    hasPreviousPage: backwards ? more : goesOn,
  };
}

/** The order of rows that have a time: `desc` for the newest first. */
export const newest = (order: OwnRange['order']) => [{ createdAt: order }, { id: order }];

/** Rows that are older (`lt`) or newer (`gt`). */
function beyond({ id, createdAt }: Place, side: 'lt' | 'gt'): { OR: Condition[] } {
  const ofId = side === 'lt' ? { lt: id } : { gt: id };
  if (!createdAt) return { OR: [{ id: ofId }] };
  const ofTime = side === 'lt' ? { lt: createdAt } : { gt: createdAt };
  return { OR: [{ createdAt: ofTime }, { createdAt, id: ofId }] };
}

function placeOf(cursor: string, argument: string, { name, isTimed }: Pick<OwnList<Place>, 'name' | 'isTimed'>): Place {
  const [, list, time, id = ''] = /^(\w+)\.(?:(\d{1,15})_)?(\w+)$/.exec(cursor) ?? [];
  if (list !== name || isTimed !== (time !== undefined))
    throw errors.invalidAt([argument], 'is not a cursor of this list');
  return time === undefined ? { id } : { id, createdAt: new Date(Number(time)) };
}
