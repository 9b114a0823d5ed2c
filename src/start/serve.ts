/** The gateway's process: opens the database, listens, and drains when told to stop. */
import closeWithGrace from 'close-with-grace';
import { operationNames } from '../../rest/operation-names.js';
import { createRestOperations } from '../../rest/operations.js';
import { ensureFirstKey } from '../access/first-key.js';
import { catalogue } from '../catalogue.js';
import type { Config } from '../config.js';
import { openDatabase } from '../database/open-database.js';
import { createGateway } from '../gateway.js';
import { datamodel } from '../generated/datamodel.js';
import { createServer } from '../http/server.js';
import { keepSwept } from '../idempotency/sweep.js';
import { keepJournal } from '../journal/keep-journal.js';
import { openJournal } from '../journal/open-journal.js';
import { createLog } from '../log.js';
import { createResources } from '../model/create-resources.js';
import { Output } from '../output.js';
import { continueIds } from '../records/ids.js';
import { createSchema } from '../schema/create-schema.js';
import { heldPosition } from '../webhooks/held-position.js';
import { announcement } from './announcement.js';
import { holdRequestsUntil } from './hold-requests-until.js';
import { endsAtHangup, keepReloadable } from './keep-reloadable.js';
import { ListenError, listen } from './listen.js';
import { createMetrics, serveMetrics } from './measure.js';
import { metersOf } from './meters-of.js';
import { startDelivering } from './start-delivering.js';
import { startTracing } from './start-tracing.js';
import { stopServing } from './stop-serving.js';

export { ListenError };

/** Milliseconds after which a hanging stop is ended; longer than `stopServing` takes. */
const STOP_TIME = 15_000;

/**
 * Starts the gateway; resolves once it serves. It goes on until a signal stops it, which ends the process.
 * `readSettings` reads the settings again, for SIGHUP. @throws DatabaseStartError, ListenError
 */
export async function serve(config: Config, readSettings: () => Config): Promise<void> {
  const output = new Output(1);
  const errorOutput = new Output(2);
  const flush = () => Promise.all([output.flush(), errorOutput.flush()]);
  try {
    await start(config, readSettings, output, errorOutput, flush);
  } finally {
    await flush();
  }
}

async function start(
  config: Config,
  readSettings: () => Config,
  output: Output,
  errorOutput: Output,
  flush: () => Promise<unknown>,
): Promise<void> {
  const log = createLog(config.logLevel, errorOutput);
  const resources = createResources(datamodel, catalogue);
  const restOperations = createRestOperations(resources);
  const names = operationNames(restOperations);
  // All settings are judged before the database is touched, which an older version could not open any more.
  const reloadable = keepReloadable({ config, readSettings, names, log });
  const deprecations = reloadable.derive((each) => each.deprecations);
  const trustedDocuments = reloadable.derive((each) => each.trustedDocuments);
  const metrics = await createMetrics(config, [...names], trustedDocuments);
  const tracing = await startTracing(log);
  const database = await openDatabase({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    migrate: config.migrate,
    requestTimeout: config.requestTimeout,
    answerLimit: config.answerLimit,
    log: (message) => log.info(message),
    onStatement: metrics?.onStatement,
    watchStatement: tracing?.watchStatement,
  });
  await continueIds(database, resources);
  keepSwept(database, log);
  const journal = await openJournal(database, resources, config.journal);
  journal.hold(heldPosition);
  const stopKeeping = keepJournal(database, journal, config.journalDays, log);
  const gateway = createGateway({
    journal,
    schema: createSchema({ resources }),
    restOperations,
    database,
    log,
    config,
    deprecations,
    trustedDocuments,
    meter: metersOf([tracing?.meter, metrics?.meter]),
    tracing,
  });
  const { readPayload } = gateway;
  const deliverer = startDelivering({
    ...{ database, journal, log, config, readPayload },
    ...(metrics && { onAttempt: metrics.onAttempt }),
  });
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = createServer(holdRequestsUntil(opened, gateway.app));
  const address = await listen(server, config);
  const served = metrics && (await serveMetrics(metrics, config, { database, gateway, log }));
  // The first key is made after listening, because the key of a process that cannot listen would never be shown.
  // Requests wait until then, because they may use the key that is set here.
  const madeKey = await ensureFirstKey(database, config.apiKey);
  open();
  output.write(announcement(config, { address, metrics: served?.address }, database, madeKey));

  const logger = { error: (message: unknown) => log.error(String(message)) };
  const skip = endsAtHangup() ? [] : ['SIGHUP' as const];
  closeWithGrace({ delay: STOP_TIME, logger, onSecondSignal: () => {}, skip }, async ({ err, signal }) => {
    if (err) {
      log.fatal({ err }, 'Unexpected error; the process ends');
    } else {
      log.info({ signal }, 'Stopping');
      gateway.drain();
      await stopServing(server);
      await deliverer?.stop();
      await gateway.usage.close();
      stopKeeping();
      await database.close();
      served?.close();
      await tracing?.stop();
      log.info('Stopped');
    }
    await flush();
  });
}
