/** The process that serves: opens the database, listens, and drains when told to stop. */
import closeWithGrace from 'close-with-grace';
import { operationNames } from '../../../rest/operation-names.js';
import { createRestOperations } from '../../../rest/operations.js';
import { keepJournal } from '../../change/journal/keep-journal.js';
import { openJournal } from '../../change/journal/open-journal.js';
import { createLog } from '../../common/log.js';
import type { Output } from '../../common/output.js';
import { requireRights } from '../../database/migrations/required-rights.js';
import { openDatabase } from '../../database/open-database.js';
import { keepSwept } from '../../features/idempotency/sweep.js';
import { metersOf } from '../../features/metrics/meters-of.js';
import { createMetrics } from '../../features/metrics/start-metrics.js';
import { keepSearch } from '../../features/search/keep-search.js';
import { startTracing } from '../../features/tracing/start-tracing.js';
import { heldPosition } from '../../features/webhooks/delivery/held-position.js';
import { startDelivering } from '../../features/webhooks/start-delivering.js';
import { datamodel } from '../../generated/datamodel.js';
import { createSchema } from '../../graphql/create-schema.js';
import { catalogue } from '../../model/catalogue.js';
import { createResources } from '../../model/create-resources.js';
import { continueIds, ids } from '../../query/ids.js';
import { ensureFirstKey } from '../access/first-key.js';
import type { Config } from '../config/config.js';
import { createGateway } from '../gateway.js';
import { createServer } from '../http/server.js';
import { shareBursts } from '../workers/share-bursts.js';
import { closeInTime } from './close-in-time.js';
import { holdRequestsUntil } from './hold-requests-until.js';
import { endsAtHangup, keepReloadable } from './keep-reloadable.js';
import { listen } from './listen.js';
import type { Role } from './role.js';
import { stopServing } from './stop-serving.js';
import { warnOfOutdated } from './warn-of-outdated.js';
import { watchClock } from './watch-clock.js';
import { whenReachable } from './when-reachable.js';

export interface HereParts {
  readSettings: () => Config;
  errorOutput: Output;
  /** Writes what was printed and logged. */
  flush: () => Promise<void>;
}

export async function serveHere({ readSettings, errorOutput, flush }: HereParts, role: Role): Promise<void> {
  const { config, processes, peers } = role;
  const log = createLog(config.logLevel, errorOutput, { worker: role.worker });
  const resources = createResources(datamodel, catalogue);
  const restOperations = createRestOperations(resources);
  const names = operationNames(restOperations);
  // All settings are judged before the database is touched, which an older version could not open any more.
  const { inForce, reload } = keepReloadable({ config, readSettings, names, log });
  const deprecations = inForce.derive((each) => each.deprecations);
  const trustedDocuments = inForce.derive((each) => each.trustedDocuments);
  const metrics = await createMetrics(role, [...names], trustedDocuments);
  const tracing = await startTracing(log);
  const open = () =>
    openDatabase({
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      readUrls: config.databaseReadUrl,
      written: role.written,
      migrate: config.migrate,
      creates: role.makesFirstKey,
      joins: role.joins,
      requestTimeout: config.requestTimeout,
      answerLimit: config.answerLimit,
      ...{ processes, peers },
      log: (message) => log.info(message),
      warn: (message) => role.sweeps && log.warn(message),
      onStatement: metrics?.onStatement,
      watchStatements: tracing?.watchStatements,
    });
  const database = await whenReachable(open, config.databaseWait, log);
  await requireRights(database);
  await continueIds(database, resources);
  watchClock(ids, log);
  if (role.sweeps) keepSwept(database, log);
  const journal = await openJournal(database, resources, config.journal);
  journal.hold(heldPosition);
  const stopKeeping = keepJournal(database, journal, role.sweeps ? config.journalDays : undefined, log);
  const endSearch = await keepSearch(database, resources, { config, indexes: role.sweeps, log });
  const schema = createSchema({ resources, federation: config.federation });
  const gateway = createGateway({
    journal,
    schema,
    restOperations,
    database,
    log,
    // Each worker has its part of the requests at the same time; streams and rates are counted by the primary process.
    config: { ...config, requestsAtOnce: Math.max(1, Math.floor(config.requestsAtOnce / processes)) },
    ...{ deprecations, trustedDocuments },
    meter: metersOf([tracing?.meter, metrics?.meter]),
    ...{ tracing, shared: role.shared },
  });
  const deliverer = startDelivering({
    ...{ database, journal, log, config, readPayload: gateway.readPayload },
    ...(metrics && { onAttempt: metrics.onAttempt }),
  });
  let admit = () => {};
  const opened = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const server = createServer(holdRequestsUntil(opened, gateway.app));
  if (role.worker !== undefined) shareBursts(server);
  const address = await listen(server, config);
  // The first key is made after listening, because the key of a process that cannot listen would never be shown.
  // Requests wait until then, because they may use the key that is set here.
  const madeKey = config.apiKey || role.makesFirstKey ? await ensureFirstKey(database, config.apiKey) : undefined;
  admit();
  if (role.sweeps)
    void warnOfOutdated({ schema, database, delivers: !!deliverer, trusted: trustedDocuments.value }, log);
  let stop = () => {};
  let isStopping = false;
  const standing = await role.serves({ address, database, madeKey, gateway, metrics, log, reload, stop: () => stop() });

  const logger = { error: (message: unknown) => log.error(String(message)) };
  const skip = ['SIGUSR2' as const, ...(endsAtHangup() ? [] : ['SIGHUP' as const])];
  process.on('SIGUSR2', () => log.warn(notHere));
  const { close } = closeWithGrace(
    { delay: role.stopTime, logger, onSecondSignal: () => {}, skip },
    async ({ err, signal }) => {
      isStopping = true;
      if (err) {
        log.fatal({ err }, 'Unexpected error; the process ends');
      } else {
        log.info({ signal }, 'Stopping');
        gateway.drain(standing.isReplaced);
        await stopServing(server, undefined, standing.isReplaced);
        stopKeeping();
        endSearch();
        const closing = closeInTime(async () => {
          await Promise.all([deliverer?.stop(), gateway.usage.close()]);
          // What the last messages have used.
          await gateway.usage.close();
          await database.close();
        });
        const [isClosed] = await Promise.all([closing, tracing?.stop()]);
        if (!isClosed) log.warn(leftWaiting);
        standing.end();
        log.info('Stopped');
      }
      await flush();
    },
  );
  stop = () => {
    if (!isStopping) void close();
  };
}

const leftWaiting =
  'The database keeps statements waiting, for a lock of another program for example; the process ends without them';
const notHere = 'SIGUSR2 replaces the workers of a gateway, and this process has none (WORKERS); nothing is done';
