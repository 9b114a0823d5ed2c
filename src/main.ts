/** The gateway's process: reads the configuration, opens the database, listens, and drains when told to stop. */
import closeWithGrace from 'close-with-grace';
import { createRestOperations } from '../rest/operations.js';
import { ensureFirstKey } from './access/first-key.js';
import { catalogue } from './catalogue.js';
import { ConfigError, readConfig } from './config.js';
import { DatabaseStartError, openDatabase } from './database/open-database.js';
import { createGateway } from './gateway.js';
import { datamodel } from './generated/datamodel.js';
import { createServer } from './http/server.js';
import { keepSwept } from './idempotency/sweep.js';
import { openJournal } from './journal/open-journal.js';
import { keepJournal } from './journal/sweep-journal.js';
import { createLog } from './log.js';
import { createResources } from './model/create-resources.js';
import { readTrustedDocuments } from './operation/trusted-documents.js';
import { Output } from './output.js';
import { continueIds } from './records/ids.js';
import { createSchema } from './schema/create-schema.js';
import { announcement } from './start/announcement.js';
import { help, UsageError, wantsHelp } from './start/help.js';
import { holdRequestsUntil } from './start/hold-requests-until.js';
import { ListenError, listen } from './start/listen.js';
import { startDelivering } from './start/start-delivering.js';
import { stopServing } from './start/stop-serving.js';
import { heldPosition } from './webhooks/held-position.js';

/** Milliseconds after which a hanging stop is ended; longer than `stopServing` takes. */
const STOP_TIME = 15_000;

// Node prints its own warnings there too; without a reader that would raise an unhandled error.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** Messages for people. */
const output = new Output(1);
/** The log, and the reason why the gateway cannot start. */
const errorOutput = new Output(2);

try {
  if (wantsHelp('npm start')) output.write(help());
  else await start();
  await flush();
} catch (error) {
  errorOutput.write(`${reasonOf(error)}\n`);
  await flush();
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const trustedDocuments = config.trustedDocuments ? readTrustedDocuments(config.trustedDocuments) : undefined;
  const log = createLog(config.logLevel, errorOutput);
  const database = await openDatabase({
    url: config.databaseUrl,
    migrate: config.migrate,
    requestTimeout: config.requestTimeout,
    answerLimit: config.answerLimit,
    log: (message) => log.info(message),
  });
  const resources = createResources(datamodel, catalogue);
  await continueIds(database, resources);
  keepSwept(database, log);
  const journal = await openJournal(database, resources, config.journal);
  journal.hold(heldPosition);
  keepJournal(database, journal, config.journalDays, log);
  const gateway = createGateway({
    journal,
    schema: createSchema({ resources }),
    restOperations: createRestOperations(resources),
    database,
    log,
    config,
    trustedDocuments,
  });
  const deliverer = startDelivering({ database, journal, log, config, readPayload: gateway.readPayload });
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = createServer(holdRequestsUntil(opened, gateway.app));
  const address = await listen(server, config);
  // The first key is made after listening, because the key of a process that cannot listen would never be shown.
  // Requests wait until then, because they may use the key that is set here.
  const madeKey = await ensureFirstKey(database, config.apiKey);
  open();
  output.write(announcement(config, address, database, madeKey));

  const logger = { error: (message: unknown) => log.error(String(message)) };
  closeWithGrace({ delay: STOP_TIME, logger, onSecondSignal: () => {} }, async ({ err, signal }) => {
    if (err) {
      log.fatal({ err }, 'Unexpected error; the process ends');
    } else {
      log.info({ signal }, 'Stopping');
      gateway.drain();
      await stopServing(server);
      await deliverer?.stop();
      await database.close();
      log.info('Stopped');
    }
    await flush();
  });
}

async function flush(): Promise<void> {
  await Promise.all([output.flush(), errorOutput.flush()]);
}

/** Why the gateway cannot start; only unexpected errors show a stack. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) {
    return `The gateway cannot start:\n${error.problems.map((problem) => `  ${problem}`).join('\n')}\n\`npm start -- --help\` lists all settings.`;
  }
  if (error instanceof DatabaseStartError || error instanceof ListenError)
    return `The gateway cannot start: ${error.message}`;
  if (error instanceof UsageError) return error.message;
  return `The gateway cannot start.\n${error instanceof Error ? error.stack : error}`;
}
