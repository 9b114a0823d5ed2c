import type { WrittenLog } from '../common/output.js';
import type { OpenedDatabase } from '../database/open-database.js';
import { createIds, firstIdOf, mostDrift } from '../model/ids.js';
import type { Resource } from '../model/resource.js';

/** One sequence for the whole process, however many databases it serves. */
export const ids = createIds();

/** Milliseconds, a little more than a day: a clock that is set back by a day must not put new records before older ones. */
const mostFollowed = 25 * 60 * 60 * 1000;

/**
 * Continues after the newest stored ids, so that new records sort last even if the clock was set back. Ids of the far
 * future are not followed: all later ones would have their time.
 */
export async function continueIds(
  { read }: Pick<OpenedDatabase, 'read'>,
  resources: readonly Resource[],
): Promise<void> {
  for (const [id] of await read(newestIds(resources), [], 'bounded')) if (typeof id === 'string') ids.startAfter(id);
}

/** One statement that reads the end of each primary key, so that it does not slow down the start. */
const newestIds = (resources: readonly Resource[]): string =>
  resources
    .filter(({ kind }) => kind !== 'singleton')
    .map(({ model, slug }) => {
      const last = firstIdOf(slug, Date.now() + mostFollowed);
      return `SELECT max("id") AS "id" FROM "${model}" WHERE "id" < '${last}'`;
    })
    .join(' UNION ALL ');

/** Milliseconds between two looks at the clock. */
const lookEvery = 60_000;

/**
 * Tells the operator of a clock that was or is wrong, at once and then every minute: nothing fails, but times of records and
 * the order of ids depend on it.
 */
export function watchClock(log: Pick<WrittenLog, 'info' | 'warn'>): void {
  let wasAhead = false;
  // How far the clock is from the time that nobody can set.
  let before = Date.now() - performance.now();
  const look = () => {
    const steppedSeconds = Math.round((Date.now() - performance.now() - before) / 1000);
    before += steppedSeconds * 1000;
    if (Math.abs(steppedSeconds) * 1000 > mostDrift) log.warn({ steppedSeconds }, stepped);
    const aheadSeconds = Math.round(ids.ahead() / 1000);
    const isAhead = aheadSeconds * 1000 > mostDrift;
    if (isAhead && !wasAhead) log.warn({ aheadSeconds }, ahead);
    if (!isAhead && wasAhead) log.info('The clock has passed the newest id');
    wasAhead = isAhead;
  };
  look();
  setInterval(look, lookEvery).unref();
}

const stepped =
  'The clock was set, or this machine was suspended: docs/operations.md ("A wrong clock") says what depends on it';
const ahead =
  'The newest id is ahead of the clock: the clock was ahead before, or is behind now. If it is right now, new records have right ' +
  'times; docs/operations.md ("A wrong clock") says what to do about the others';
