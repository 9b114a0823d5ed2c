import type { ChangeAction } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';
import { positionColumn, type StoredEntry } from './entry.js';
import { type EntrySource, numberEntries, readEntries, rowsOf } from './number-entries.js';

/** Positions as clients see them: texts that only the gateway reads. Inside they are whole numbers. */

export const positionText = (position: number): string => String(position);

/** Undefined for a text that is no position. */
export function positionInText(text: string): number | undefined {
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(position) ? position : undefined;
}

/** The end of a sentence that begins with the name of an argument. */
export const notAPosition = 'must be a position that the gateway has given, as a text';

/** The position in an argument `after`. @throws BAD_USER_INPUT */
export function positionAfter(after: string): number {
  const position = positionInText(after);
  if (position !== undefined) return position;
  throw errors.badInput([{ path: ['after'], code: 'parameter_invalid', message: notAPosition }]);
}

/** The feed of all changes, or of some types and actions, in the order of their positions. */
interface FeedRequest {
  after: number;
  first: number;
  /** The types whose changes are wanted. */
  types: readonly Resource[];
  /** The actions that are wanted, however often a client named each; undefined for all. */
  actions: ReadonlySet<ChangeAction> | undefined;
}

export interface FeedPage {
  entries: readonly StoredEntry[];
  /** Everything wanted up to here is in this page or before it: `after` of the next. */
  position: number;
  hasMore: boolean;
}

/** Entries examined for a page at most, so that a page of a rare type takes no longer than one of all. */
const mostExamined = 2_000;
const mostBytes = 1024 * 1024;

export async function changeFeed(
  database: EntrySource,
  resources: readonly Resource[],
  { after, first, types, actions }: FeedRequest,
): Promise<FeedPage> {
  await numberEntries(database);
  const position = positionColumn(database.provider);
  const examined = `SELECT ${position} FROM "JournalEntry" WHERE ${position} > ? ORDER BY ${position} LIMIT ${mostExamined}`;
  const ends = `SELECT max("first".${position}), (SELECT max(${position}) FROM "JournalEntry") FROM (${examined}) AS "first"`;
  const [end] = await rowsOf(database, ends, [after]);
  if (end?.[0] == null) return { entries: [], position: after, hasMore: false };
  const last = Number(end[0]);
  const isCut = Number(end[1]) > last;
  const conditions = [`${position} > ?`, `${position} <= ?`, `"model" IN (${types.map(() => '?').join(', ')})`];
  if (actions) conditions.push(`"action" IN (${Array.from(actions, () => '?').join(', ')})`);
  if (types.length === 0 || actions?.size === 0) return { entries: [], position: last, hasMore: isCut };
  const found = await readEntries(database, resources, {
    where: conditions.join(' AND '),
    values: [after, last, ...types.map(({ model }) => model), ...(actions ?? [])],
    order: position,
    most: first + 1,
    bytes: mostBytes,
  });
  const entries = found.entries.slice(0, first);
  // A page that lacks some of what was found ends with its last entry.
  const isShort = found.isCut || found.entries.length > first;
  return { entries, position: isShort ? (entries.at(-1)?.position ?? last) : last, hasMore: isShort || isCut };
}
