/** `records serve`: one process, or a primary process and its workers. */
import { AlreadyReported } from '../../common/config-error.js';
import { isLoopback } from '../../common/network.js';
import { createLog, Output } from '../../common/output.js';
import { readAddress } from '../../database/database-url.js';
import { explainingStart } from '../../database/explain-start.js';
import { sqlitePath } from '../../database/sqlite/open-sqlite.js';
import type { Config } from '../config/config.js';
import type { Started } from '../feature.js';
import { Crew } from '../workers/crew.js';
import type { Served } from '../workers/messages.js';
import { keptOf, readWorkerSelf } from '../workers/worker.js';
import { endInOrder, endsAtHangup, stopTimes, urlOf } from './listen.js';
import { type HereParts, serveHere } from './serve-here.js';
import { joinStarted } from './start-features.js';

/** How the process was started. */
export interface ServeParts extends Pick<HereParts, 'config' | 'features' | 'loadApi' | 'readSettings'> {
  /** The program of the command line and its arguments, with which workers are started. */
  program: { path: string; words: readonly string[] };
}

/**
 * Starts the gateway; resolves once it serves. It goes on until a signal stops it, which ends the process.
 * @throws DatabaseStartError, ListenError, AlreadyReported
 */
export async function serve(parts: ServeParts): Promise<void> {
  const { config } = parts;
  const output = new Output(1);
  const self = readWorkerSelf();
  const errorOutput = new Output(2, self !== undefined || config.workers > 1);
  const flush = async () => void (await Promise.all([output.flush(), errorOutput.flush()]));
  const announce: HereParts['announce'] = (served, there) => output.write(announcement(config, served, there));
  const given = { ...parts, errorOutput, announce, flush };
  try {
    if (!self && config.workers > 1) await serveByWorkers(given);
    else await explainingStart(config.databaseUrl, () => serveHere(given, self));
  } finally {
    await flush();
  }
}

/** The primary process of a gateway with several workers. It answers no requests: it starts, replaces and stops workers. */
type PrimaryParts = ServeParts & HereParts;

/** Milliseconds after which a hanging stop is ended; longer than `Crew` takes. */
const STOP_TIME = 17_000;

/** @throws AlreadyReported if the first worker could not be started */
async function serveByWorkers(parts: PrimaryParts): Promise<void> {
  const { config, readSettings, program, features, errorOutput, announce, flush } = parts;
  const log = createLog(config.logLevel, errorOutput);
  const giveUp = async () => {
    log.fatal('No worker can be started any more, and the gateway ends. The lines above say why');
    await flush();
    process.exit(1);
  };
  const crew = new Crew({
    program,
    settings: config,
    kept: keptOf(config.texts, features),
    leaveTime: stopTimes.worker + 5_000,
    log,
    giveUp,
  });
  const started = joinStarted(await Promise.all(features.map((each) => each.primary?.({ config, log, crew }))));
  endInOrder({
    log,
    delay: STOP_TIME,
    fault: 'Unexpected error; the gateway ends',
    databaseUrl: config.databaseUrl,
    flush,
    stop: async () => {
      const stopped = crew.stop();
      await started.end(stopped);
      return stopped;
    },
  });
  const reload = () => {
    crew.reload();
    try {
      log.level = readSettings().logLevel;
    } catch {
      // The workers read the same settings, and log what is wrong.
    }
  };
  if (!endsAtHangup()) process.on('SIGHUP', reload);
  process.on('SIGUSR2', () => void crew.renew());

  const first = await crew.start();
  // It has said why.
  if ('ending' in first) throw new AlreadyReported(first.ending.code || 1);
  announce(first.served, started.announces);
}

/**
 * The text for the person who started the gateway: the URLs, the key if it was just created, and a first request to
 * paste. A key from the setting API_KEY is never shown.
 */
export function announcement(
  config: Config,
  { address, isNew, madeKey }: Served,
  announces: Started['announces'] = {},
): string {
  const listens = urlOf(config.host, address);
  const url = config.publicUrl || listens;
  // The secret is in the fragment, which a browser never sends, and only if the gateway listens on this machine alone.
  const signsIn = madeKey !== undefined && isLoopback(config.host);
  const header = madeKey ? `'Authorization: Bearer ${madeKey}'` : '"Authorization: Bearer $API_KEY"';
  const others = Object.entries(announces).map(([name, there]) => `\n  ${name.padEnd(9)} ${there}`);
  return `
Business Records Gateway

  REST      ${url}/api
  GraphQL   ${url}/graphql
  Explore   ${url}/${signsIn ? `#key=${madeKey}` : ''}  (in a browser${signsIn ? '; this link signs in' : ''})
${config.publicUrl ? `  Listens   ${listens}\n` : ''}  Records   ${isNew ? 'a new, empty database at ' : ''}${placeOf(config.databaseUrl)}${isNew ? emptyNote : ''}${others.join('')}

${keyNote(config, madeKey)}

Try it:

  curl -H ${header} ${url}/api/assets/asset-repair

`;
}

const emptyNote = '\n            `records seed`, in a checkout `npx records seed`, fills it with sample records';

function keyNote(config: Config, madeKey: string | undefined): string {
  if (madeKey) return `  API key   ${madeKey}\n            made just now and shown this once; only its hash is kept`;
  if (config.apiKey) return '  API key   the one set as API_KEY';
  return '  API key   one made before; lost it? `records keys create --help`';
}

/** The location of the records: an absolute path, or a URL without user and password. */
function placeOf(databaseUrl: string): string {
  if (databaseUrl.startsWith('file:')) return sqlitePath(databaseUrl);
  const { host = 'localhost', port, database = '', parameters } = readAddress(databaseUrl);
  const schema = parameters.schema === 'public' ? '' : `, in the schema ${parameters.schema}`;
  return `PostgreSQL at ${host}${port === undefined ? '' : `:${port}`}/${database}${schema}`;
}
