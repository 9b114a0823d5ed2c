/**
 * A page of a list that the gateway keeps for itself, such as its keys, newest first: by cursor or by offset, from either end, as
 * lists of records have them. Nothing is read before it is needed.
 */
import { errors } from '../model/errors/errors.js';
import { type Page, type PageArguments, pageIn } from './page.js';

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

/** @throws BAD_USER_INPUT for a cursor of another list, or for `offset` together with `last` */
export const ownPage = <Row extends Place>(list: OwnList<Row>, given: PageArguments): Page<Row> =>
  pageIn<Row, Row>(given, ({ backwards }) => {
    const placeAt = (argument: 'after' | 'before', side: Side) => {
      const cursor = given[argument];
      return cursor == null ? [] : [beyond(placeOf(cursor, argument, list), side)];
    };
    const where = [...placeAt('after', 'lt'), ...placeAt('before', 'gt')];
    return {
      cursor: ({ id, createdAt }) => `${list.name}.${list.isTimed ? `${createdAt?.getTime()}_${id}` : id}`,
      find: (take, skip) => list.read({ where, order: backwards ? 'asc' : 'desc', take, skip }),
      load: async (rows) => rows,
      async goesOn(edge) {
        const bounds = edge ? [beyond(edge, backwards ? 'lt' : 'gt')] : [];
        return (await list.read({ where: bounds, order: backwards ? 'desc' : 'asc', take: 1, skip: 0 })).length > 0;
      },
      count: () => list.count(),
    };
  });

/** The order of rows that have a time: `desc` for the newest first. */
export const newest = (order: OwnRange['order']) => [{ createdAt: order }, { id: order }];

/** Whether rows are older (`lt`) or newer (`gt`). */
type Side = 'lt' | 'gt';

function beyond({ id, createdAt }: Place, side: Side): { OR: Condition[] } {
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
