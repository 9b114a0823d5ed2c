/** `records serve`: one process, or a primary process and its workers. */

import type { AddressInfo } from 'node:net';
import closeWithGrace from 'close-with-grace';
import { createLog } from '../../common/log.js';
import { isLoopback } from '../../common/network.js';
import { Output } from '../../common/output.js';
import { readAddress } from '../../database/address/postgresql-address.js';
import { explainingStart } from '../../database/explain-start.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import { sqlitePath } from '../../database/sqlite/open-sqlite.js';
import { lossLeft } from '../../database/sqlite/placed/lost-mark.js';
import type { PrimaryMetrics } from '../../features/metrics/primary-metrics.js';
import { serveMetrics, watchReadings } from '../../features/metrics/start-metrics.js';
import { ids } from '../../query/ids.js';
import type { Config } from '../config/config.js';
import type { Feature } from '../feature.js';
import { Crew } from '../workers/crew.js';
import { settingsOf } from '../workers/kept-settings.js';
import { PositionTable } from '../workers/position-table.js';
import { PrimaryLink } from '../workers/primary-link.js';
import { FirstWorkerEnded, readWorkerSelf, type WorkerSelf } from '../workers/worker-self.js';
import { endsAtHangup } from './keep-reloadable.js';
import type { Role } from './role.js';
import { type HereParts, serveHere } from './serve-here.js';
import { stopTimes } from './stop-serving.js';

export { FirstWorkerEnded };

/** How the process was started, and where it writes. */
export interface ServeParts {
  config: Config;
  /** Reads the settings again, for SIGHUP. @throws ConfigError */
  readSettings: () => Config;
  /** The program of the command line and its arguments, with which workers are started. */
  program: { path: string; words: readonly string[] };
  features: readonly Feature[];
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
    serves: async ({ address, database, madeKey, gateway, metrics, log }) => {
      if (metrics) watchReadings(metrics, { database, gateway });
      const served = metrics && (await serveMetrics(metrics, config, log));
      output.write(announcement(config, { address, metrics: served?.address }, database, madeKey));
      const end = () => {
        served?.close();
        return leftLost(config);
      };
      return { isReplaced: () => false, end };
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
    config: settingsOf(parts.config, kept),
    worker: number,
    processes: kept.workers,
    peers: link.peers,
    shared: { lease: link.lease, places: link.places },
    written: seat && new PositionTable(seat),
    makesFirstKey: isFirst,
    joins: opened,
    sweeps: number === 1,
    stopTime: stopTimes.worker,
    serves: async ({ address, database, madeKey, gateway, metrics, reload, stop }) => {
      if (metrics) watchReadings(metrics, { database, gateway });
      let isReplaced = false;
      const leave = (isStop: boolean) => {
        isReplaced = !isStop;
        stop();
      };
      const readMetrics = metrics && (() => metrics.text());
      link.serve({ address, isNew: database.isNew, madeKey }, { reload, leave, metrics: readMetrics });
      return { isReplaced: () => isReplaced, end: () => undefined };
    },
  };
  return serveHere(parts, role);
}

/** The primary process of a gateway with several workers. It answers no requests: it starts, replaces and stops workers. */
interface PrimaryParts {
  config: Config;
  readSettings: () => Config;
  program: { path: string; words: readonly string[] };
  output: Output;
  errorOutput: Output;
  flush: () => Promise<void>;
}

/** Milliseconds after which a hanging stop is ended; longer than `Crew` takes. */
const STOP_TIME = 17_000;

/** @throws ListenError; FirstWorkerEnded if it could not be started */
async function serveByWorkers(parts: PrimaryParts): Promise<void> {
  const { config, readSettings, program, output, errorOutput, flush } = parts;
  const log = createLog(config.logLevel, errorOutput);
  const giveUp = async () => {
    log.fatal('No worker can be started any more, and the gateway ends. The lines above say why');
    await flush();
    process.exit(1);
  };
  const crew = new Crew({ program, settings: config, leaveTime: stopTimes.worker + 5_000, log, giveUp });
  const served = config.metricsPort === undefined ? undefined : await serveMetrics(await metricsOf(crew), config, log);
  const skip = ['SIGUSR2' as const, ...(endsAtHangup() ? [] : ['SIGHUP' as const])];
  const logger = { error: (message: unknown) => log.error(String(message)) };
  closeWithGrace({ delay: STOP_TIME, logger, onSecondSignal: () => {}, skip }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'Unexpected error; the gateway ends');
    else log.info({ signal }, 'Stopping');
    const isHung = await crew.stop();
    served?.close();
    const problem = leftLost(config);
    if (problem) log.error(problem);
    if (!err) log.info('Stopped');
    await flush();
    if (isHung || problem) process.exit(1);
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
  output.write(announcement(config, { address, metrics: served?.address }, { isNew }, madeKey));
}

/** What they need is loaded only where it is measured. */
async function metricsOf(crew: Crew): Promise<PrimaryMetrics> {
  const { PrimaryMetrics } = await import('../../features/metrics/loaded.js');
  return new PrimaryMetrics(crew);
}

/**
 * The text for the person who started the gateway: the URLs, the key if it was just created, and a first request to
 * paste. A key from the setting API_KEY is never shown.
 */
export function announcement(
  config: Config,
  { address, metrics }: { address: AddressInfo; metrics?: AddressInfo | undefined },
  { isNew }: Pick<OpenedDatabase, 'isNew'>,
  madeKey: string | undefined,
): string {
  const listens = urlOf(config.host, address);
  const url = config.publicUrl || listens;
  // The secret is in the fragment, which a browser never sends, and only if the gateway listens on this machine alone.
  const signsIn = madeKey !== undefined && isLoopback(config.host);
  const header = madeKey ? `'Authorization: Bearer ${madeKey}'` : '"Authorization: Bearer $API_KEY"';
  return `
Business Records Gateway

  REST      ${url}/api
  GraphQL   ${url}/graphql
  Explore   ${url}/${signsIn ? `#key=${madeKey}` : ''}  (in a browser${signsIn ? '; this link signs in' : ''})
${config.publicUrl ? `  Listens   ${listens}\n` : ''}  Records   ${isNew ? 'a new, empty database at ' : ''}${placeOf(config.databaseUrl)}${isNew ? emptyNote : ''}${metrics ? `\n  Metrics   ${urlOf(config.host, metrics)}/metrics` : ''}

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

/** A URL that can be opened: a wildcard address is shown as localhost. */
function urlOf(host: string, { port }: AddressInfo): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The location of the records: an absolute path, or a URL without user and password. */
function placeOf(databaseUrl: string): string {
  if (databaseUrl.startsWith('file:')) return sqlitePath(databaseUrl);
  const { host = 'localhost', port, database = '', parameters } = readAddress(databaseUrl);
  const schema = parameters.schema === 'public' ? '' : `, in the schema ${parameters.schema}`;
  return `PostgreSQL at ${host}${port === undefined ? '' : `:${port}`}/${database}${schema}`;
}
