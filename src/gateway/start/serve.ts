/** `records serve`: one process, or a primary process and its workers. */
import type { AddressInfo } from 'node:net';
import { createLog } from '../../common/log.js';
import { isLoopback } from '../../common/network.js';
import { Output } from '../../common/output.js';
import { readAddress } from '../../database/database-url.js';
import { explainingStart } from '../../database/explain-start.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import { lossLeft } from '../../database/sqlite/lost-mark.js';
import { sqlitePath } from '../../database/sqlite/open-sqlite.js';
import { ids } from '../../query/ids.js';
import type { Config } from '../config/config.js';
import type { Feature, Started } from '../feature.js';
import { Crew } from '../workers/crew.js';
import { PositionTable } from '../workers/position-table.js';
import { PrimaryLink } from '../workers/primary-link.js';
import { FirstWorkerEnded, keptOf, readWorkerSelf, settingsOf, type WorkerSelf } from '../workers/worker.js';
import { endInOrder, endsAtHangup, stopTimes, urlOf } from './listen.js';
import { type HereParts, type Role, serveHere } from './serve-here.js';
import { joinStarted } from './start-features.js';

export { FirstWorkerEnded };

/** How the process was started, and where it writes. */
export interface ServeParts {
  config: Config;
  /** Reads the settings again, for SIGHUP. @throws ConfigError */
  readSettings: () => Config;
  /** The program of the command line and its arguments, with which workers are started. */
  program: { path: string; words: readonly string[] };
  features: readonly Feature[];
  loadApi: HereParts['loadApi'];
}

/**
 * Starts the gateway; resolves once it serves. It goes on until a signal stops it, which ends the process.
 * @throws DatabaseStartError, ListenError, FirstWorkerEnded
 */
export async function serve(parts: ServeParts): Promise<void> {
  const output = new Output(1);
  const worker = readWorkerSelf();
  const errorOutput = new Output(2, worker !== undefined || parts.config.workers > 1);
  const flush = async () => void (await Promise.all([output.flush(), errorOutput.flush()]));
  const given = { ...parts, output, errorOutput, flush };
  try {
    if (worker) {
      await explainingStart(parts.config.databaseUrl, () => serveAsWorker(given, worker));
    } else if (parts.config.workers > 1) {
      await serveByWorkers(given);
    } else {
      await explainingStart(parts.config.databaseUrl, () => serveHere(given, alone(given)));
    }
  } finally {
    await flush();
  }
}

/** The role of a gateway that is a single process. */
function alone({ config, output }: { config: Config; output: Output }): Role {
  return {
    config,
    processes: 1,
    makesFirstKey: true,
    sweeps: true,
    stopTime: stopTimes.process,
    serves: ({ address, database, madeKey, started: { announces } }) => {
      output.write(announcement(config, { address, announces }, database, madeKey));
      return { isReplaced: () => false, end: () => leftLost(config) };
    },
  };
}

/** What to say if the database is left lost; undefined if it is not. */
const leftLost = ({ databaseUrl }: Config): string | undefined =>
  databaseUrl.startsWith('file:') ? lossLeft(sqlitePath(databaseUrl)) : undefined;

/** Serves as one of several workers, which share what has a limit for all of them. */
function serveAsWorker(parts: HereParts & { config: Config }, self: WorkerSelf): Promise<void> {
  const { number, isFirst, opened, isOverwritten, kept, seat } = self;
  const link = new PrimaryLink(ids, isOverwritten);
  const role: Role = {
    config: settingsOf(parts.config, kept, parts.features),
    worker: number,
    processes: kept.workers,
    peers: link.peers,
    shared: { lease: link.lease, places: link.places },
    written: seat && new PositionTable(seat),
    makesFirstKey: isFirst,
    joins: opened,
    sweeps: number === 1,
    stopTime: stopTimes.worker,
    serves: ({ address, database, madeKey, started: { reports }, reload, stop }) => {
      let isReplaced = false;
      const leave = (isStop: boolean) => {
        isReplaced = !isStop;
        stop();
      };
      link.serve({ address, isNew: database.isNew, madeKey }, { reload, leave, reports });
      return { isReplaced: () => isReplaced, end: () => undefined };
    },
  };
  return serveHere(parts, role);
}

/** The primary process of a gateway with several workers. It answers no requests: it starts, replaces and stops workers. */
interface PrimaryParts extends ServeParts, HereParts {
  output: Output;
}

/** Milliseconds after which a hanging stop is ended; longer than `Crew` takes. */
const STOP_TIME = 17_000;

/** @throws ListenError; FirstWorkerEnded if it could not be started */
async function serveByWorkers(parts: PrimaryParts): Promise<void> {
  const { config, readSettings, program, features, output, errorOutput, flush } = parts;
  const log = createLog(config.logLevel, errorOutput);
  const giveUp = async () => {
    log.fatal('No worker can be started any more, and the gateway ends. The lines above say why');
    await flush();
    process.exit(1);
  };
  const crew = new Crew({
    program,
    settings: keptOf(config, features),
    leaveTime: stopTimes.worker + 5_000,
    log,
    giveUp,
  });
  const started = joinStarted(await Promise.all(features.map((each) => each.primary?.({ config, log, crew }))));
  endInOrder({
    log,
    delay: STOP_TIME,
    fault: 'Unexpected error; the gateway ends',
    flush,
    stop: async () => {
      const stopped = crew.stop();
      await started.end(stopped);
      const isHung = await stopped;
      const problem = leftLost(config);
      if (problem) log.error(problem);
      return isHung || problem !== undefined;
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
  if ('ending' in first) throw new FirstWorkerEnded(first.ending.code || 1);
  const { address, isNew, madeKey } = first.served;
  output.write(announcement(config, { address, announces: started.announces }, { isNew }, madeKey));
}

/**
 * The text for the person who started the gateway: the URLs, the key if it was just created, and a first request to
 * paste. A key from the setting API_KEY is never shown.
 */
export function announcement(
  config: Config,
  { address, announces = {} }: { address: AddressInfo } & Pick<Started, 'announces'>,
  { isNew }: Pick<OpenedDatabase, 'isNew'>,
  madeKey: string | undefined,
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
