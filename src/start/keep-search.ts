/** Keeps the search index as SEARCH says, from the start of a process on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { DatabaseStartError } from '../database/database-start-error.js';
import type { Database } from '../database/open-database.js';
import { profileOf } from '../database/profile.js';
import type { Resource } from '../model/resource.js';
import { indexExisting } from '../records/change/search/index-existing.js';
import { searchIsOn, turnSearchOff, turnSearchOn } from '../records/search/search-state.js';
import { isSearched } from '../records/search/searched-fields.js';

interface Options {
  config: Pick<Config, 'search' | 'databaseUrl'>;
  /** Whether this process indexes what was there before, if it keeps the index: one of several workers does. */
  indexes: boolean;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Milliseconds between two looks of a process that does not keep the index, and after a failure. */
const every = 10_000;

/**
 * Turns the index on and indexes what was there before, or turns it off, because this process makes changes without it; until
 * the returned function is called. Searches are refused meanwhile. @throws DatabaseStartError
 */
export async function keepSearch(
  database: Database,
  resources: readonly Resource[],
  { config: { search: isOn, databaseUrl: url }, indexes, log }: Options,
): Promise<() => void> {
  if (isOn && profileOf(url) === 'distributed') {
    throw new DatabaseStartError('SEARCH=true needs triggers, which the profile distributed lacks. Set SEARCH=false.');
  }
  const end = new AbortController();
  const { signal } = end;
  const turnOff = async () => {
    if (await database.perform(searchIsOn)) await database.perform(turnSearchOff);
  };
  const repeat = async (work: () => Promise<boolean>) => {
    for (;;) {
      const isDone = await work().catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, 'The search index could not be kept');
        return false;
      });
      if (isDone) return;
      await sleep(every, undefined, { ref: false, signal });
    }
  };
  if (isOn) await database.perform(() => turnSearchOn(resources.filter(isSearched)));
  else await turnOff();
  const work = isOn
    ? async () => {
        if (!indexes) return true;
        await indexExisting(database, resources, signal);
        if (!signal.aborted) log.info('The words of all records are indexed');
        return true;
      }
    : async () => {
        await turnOff();
        return false;
      };
  // Rejects only when the wait is aborted.
  repeat(work).catch(() => undefined);
  return () => end.abort();
}
