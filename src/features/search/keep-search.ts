/**
 * Keeps the search index as SEARCH says, from the start of a process on. A process with SEARCH=false makes changes that
 * are not indexed, so it turns the index off, and polls whether another process has turned it on. A process that turns
 * it on therefore waits longer than that interval before it indexes anything: by then, either no process is left that
 * changes records without indexing them, or the index is turned off again. A process that finds its index turned off
 * begins anew, until the others have ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { repeat } from '../../common/timing.js';
import { DatabaseStartError } from '../../database/database-problem.js';
import { profileOf } from '../../database/database-url.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import type { Config } from '../../gateway/config/config.js';
import type { ServedFeature } from '../../gateway/feature.js';
import type { Resource } from '../../model/resource.js';
import { indexExisting } from './index/index-existing.js';
import { indexingWriter } from './index/index-plan.js';
import { addSearch, answerSearched, searchArgument } from './schema/search-fields.js';
import { indexState, searchIsOn, turnSearchOff, turnSearchOn } from './search-state.js';
import { isSearched } from './searched-fields.js';

interface Options {
  config: Pick<Config, 'databaseUrl'> & { search: boolean };
  /** Whether this process indexes what was there before, if it keeps the index: one of several workers does. */
  indexes: boolean;
  log: Pick<Logger, 'info' | 'warn'>;
  times?: typeof usual;
}

/**
 * Milliseconds between two polls, and after a failure; and between turning the index on and building it, longer than between
 * two polls.
 */
const usual = { every: 10_000, grace: 15_000 };

type Kept = Pick<OpenedDatabase, 'perform' | 'provider' | 'isNew'>;

/**
 * Turns the index on or off, and keeps it so until the returned function is called. Searches are refused until what was there
 * before is indexed. @throws DatabaseStartError
 */
export async function keepSearch(
  database: Kept,
  resources: readonly Resource[],
  { config: { search: isOn, databaseUrl: url }, indexes, log, times = usual }: Options,
): Promise<() => void> {
  if (isOn && profileOf(url) === 'distributed') {
    throw new DatabaseStartError('SEARCH=true needs triggers, which the profile distributed lacks. Set SEARCH=false.');
  }
  const end = new AbortController();
  const { signal } = end;
  const { perform } = database;
  const searched = resources.filter(isSearched);
  const turnOn = () => perform(() => turnSearchOn(searched));
  const stateNow = () => perform(() => indexState(searched));
  const turnOff = async () => {
    if (!(await perform(searchIsOn))) return;
    await perform(turnSearchOff);
    log.warn(turnsOff);
  };

  // No wait in a new database: no other process can have changed records without indexing them.
  let grace = database.isNew ? 0 : times.grace;
  let isAnnounced = false;
  const makeWhole = async () => {
    const before = await stateNow();
    if (before === 'whole') return;
    if (before !== 'on') {
      if (!isAnnounced) log.warn(before === 'off' ? isTurnedOff : isOld);
      isAnnounced = true;
      await turnOn();
    }
    await sleep(grace, undefined, { ref: false, signal });
    grace = times.grace;
    const now = await stateNow();
    if (now === 'off' || now === 'old') return;
    await indexExisting(database, searched, signal);
    if (signal.aborted || (await stateNow()) !== 'whole') return;
    isAnnounced = false;
    log.info('The words of all records are indexed');
  };

  await (isOn ? turnOn() : turnOff());
  if (!isOn || indexes) {
    const onError = (err: unknown) => signal.aborted || log.warn({ err }, 'The search index could not be kept');
    void repeat(isOn ? makeWhole : turnOff, { first: 0, every: times.every, signal }, onError);
  }
  return () => end.abort();
}

/** What a gateway that serves has of searches; with `search` it keeps the index. */
export const serveSearch = (search: boolean): ServedFeature => ({
  schema: addSearch,
  arguments: searchArgument,
  guard: answerSearched,
  start: async ({ database, resources, config: { databaseUrl }, sweeps, log }) => ({
    stop: await keepSearch(database, resources, { config: { search, databaseUrl }, indexes: sweeps, log }),
  }),
  write: search ? indexingWriter(false) : undefined,
});

const turnsOff =
  'SEARCH=false turns off the search index that another process keeps, because changes made here are not indexed';
const isTurnedOff =
  'A process with SEARCH=false has turned the search index off; it is made anew when all processes have SEARCH=true';
const isOld =
  'A process of an earlier version keeps the search index; words that this version makes in another way are made anew';
