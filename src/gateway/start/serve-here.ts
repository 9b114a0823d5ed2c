/** The process that serves: opens the database, listens, and drains when told to stop. */
import { keepJournal } from '../../change/journal/keep-journal.js';
import { openJournal } from '../../change/journal/open-journal.js';
import { createLog, type Output } from '../../common/output.js';
import { inTime } from '../../common/timing.js';
import { whenReachable } from '../../database/explain-start.js';
import { requireRights } from '../../database/migrations/schema-objects.js';
import { openDatabase } from '../../database/open-database.js';
import { PositionTable } from '../../database/postgresql/position-table.js';
import { createSchema } from '../../graphql/create-schema.js';
import { warnOfOutdated } from '../../graphql/operation/outdated-documents.js';
import { allResources } from '../../model/resources.js';
import { continueIds, ids, watchClock } from '../../query/ids.js';
import { ensureFirstKey } from '../access/authenticator.js';
import type { Config } from '../config/config.js';
import { type Feature, type OnMeasured, type Started, servedFeatures, type Watch } from '../feature.js';
import { type CreateApi, createGateway } from '../gateway.js';
import { createServer, holdRequests } from '../http/server.js';
import type { Served } from '../workers/messages.js';
import { PrimaryLink } from '../workers/primary-link.js';
import { settingsOf, shareBursts, type WorkerSelf } from '../workers/worker.js';
import { keepReloadable } from './keep-reloadable.js';
import { endInOrder, listen, stopServing, stopTimes } from './listen.js';
import { startAll, statementsOf, watchesOf } from './start-features.js';

export interface HereParts {
  /** Those that the process has read. */
  config: Config;
  features: readonly Feature[];
  loadApi: () => Promise<CreateApi>;
  /** Reads the settings again, for SIGHUP. @throws ConfigError */
  readSettings: () => Config;
  errorOutput: Output;
  /** Tells whoever started it that the gateway serves, where no primary process does. */
  announce(served: Served, there: Started['announces']): void;
  /** Writes what was printed and logged. */
  flush: () => Promise<void>;
}

/** Serves as a single process, or as one of several workers, which share what has a limit for all of them. */
export async function serveHere(parts: HereParts, self?: WorkerSelf): Promise<void> {
  const { features, loadApi, readSettings, errorOutput, announce, flush } = parts;
  const config = self ? settingsOf(parts.config, self.kept, features) : parts.config;
  const link = self && new PrimaryLink(ids, self.isOverwritten);
  const processes = self ? config.workers : 1;
  const worker = self?.number;
  // One of several processes deletes what is kept for a time, and the first makes the database and the key where there are none.
  const sweeps = worker === undefined || worker === 1;
  const isFirst = self?.isFirst ?? true;
  const log = createLog(config.logLevel, errorOutput, { worker });
  // All settings are judged before the database is touched, which an older version could not open any more.
  let watches: Watch[] = [];
  const measured: OnMeasured = (...given) => {
    for (const { measure } of watches) measure?.(...given);
  };
  const [createApi, serving] = await Promise.all([loadApi(), servedFeatures(features, config, measured)]);
  const api = createApi(allResources, serving);
  const names = api.endpoints.map(({ name }) => name);
  const { inForce, trustedDocuments, reload } = keepReloadable({ config, readSettings, names, features, serving, log });
  const metrics = serving.flatMap((feature) => feature.metrics ?? []);
  const starting = { config, log, worker, operations: names, trustedDocuments, metrics };
  watches = await watchesOf(serving, starting);
  const open = () =>
    openDatabase({
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      readUrls: config.databaseReadUrl,
      written: self?.seat && new PositionTable(self.seat),
      migrate: config.migrate,
      creates: isFirst,
      joins: self?.opened,
      requestTimeout: config.requestTimeout,
      answerLimit: config.answerLimit,
      ...{ processes, peers: link?.peers },
      log: (message) => log.info(message),
      warn: (message) => sweeps && log.warn(message),
      watchStatements: statementsOf(watches),
    });
  const database = await whenReachable(open, config.databaseWait, log);
  await requireRights(database);
  await continueIds(database, allResources);
  watchClock(log);
  const journal = await openJournal(database, allResources, config.journal);
  const schema = createSchema({ resources: allResources, features: serving });
  const gateway = createGateway({
    journal,
    schema,
    api,
    database,
    log,
    // Each worker has its part of the requests at the same time; streams and rates are counted by the primary process.
    config: { ...config, requestsAtOnce: Math.max(1, Math.floor(config.requestsAtOnce / processes)) },
    ...{ features: serving, inForce, trustedDocuments },
    ...{ watches, shared: link },
  });
  const running = { ...starting, resources: allResources, database, journal, gateway, sweeps };
  const started = await startAll([...serving, ...watches], running);
  const stopKeeping = keepJournal(database, journal, sweeps ? config.journalDays : undefined, log);
  const { listener, admit } = holdRequests(gateway.app);
  const server = createServer(listener);
  if (worker !== undefined) shareBursts(server);
  const address = await listen(server, config);
  // The first key is made after listening, because the key of a process that cannot listen would never be shown.
  // Requests wait until then, because they may use the key that is set here.
  const madeKey = config.apiKey || isFirst ? await ensureFirstKey(database, config.apiKey) : undefined;
  admit();
  if (sweeps) void warnOfOutdated({ schema, database, started, trusted: trustedDocuments.value }, log);
  process.on('SIGUSR2', () => log.warn(notHere));
  // Whether other processes serve at the same address when this one stops.
  let isReplaced = false;
  const stop = endInOrder({
    log,
    delay: self ? stopTimes.worker : stopTimes.process,
    fault: 'Unexpected error; the process ends',
    databaseUrl: self ? undefined : config.databaseUrl,
    flush,
    stop: async (isFault) => {
      if (isFault) return false;
      gateway.drain(() => isReplaced);
      await stopServing(server, undefined, () => isReplaced);
      stopKeeping();
      const ending = async () => {
        await started.stop();
        // Also what the last messages have used.
        await gateway.settle();
        await database.close();
        return true;
      };
      // Not in time while another program keeps a lock: what waits for it is then left behind, so that the process ends in
      // any case. Nothing of it was acknowledged.
      const closing = inTime(ending(), CLOSE_TIME, () => false);
      const [isClosed] = await Promise.all([closing, started.end(closing)]);
      if (!isClosed) log.warn(leftWaiting);
      return false;
    },
  });
  const served = { address, isNew: database.isNew, madeKey };
  if (!link) return announce(served, started.announces);
  link.serve(served, {
    reload,
    leave: (isStop) => {
      isReplaced = !isStop;
      stop();
    },
    report: async (name) => started.reports[name]?.(),
  });
}

const leftWaiting =
  'The database keeps statements waiting, for a lock of another program for example; the process ends without them';
const notHere = 'SIGUSR2 replaces the workers of a gateway, and this process has none (WORKERS); nothing is done';

/** Milliseconds that the last work on the database may take when the process stops, after requests have had their time. */
const CLOSE_TIME = 4_000;
