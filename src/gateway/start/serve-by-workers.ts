/** The primary process of a gateway with several workers. It answers no requests: it starts, replaces and stops workers. */
import closeWithGrace from 'close-with-grace';
import { createLog } from '../../common/log.js';
import type { Output } from '../../common/output.js';
import type { PrimaryMetrics } from '../../features/metrics/primary-metrics.js';
import { serveMetrics } from '../../features/metrics/start-metrics.js';
import type { Config } from '../config/config.js';
import { Crew } from '../workers/crew.js';
import { FirstWorkerEnded } from '../workers/first-worker-ended.js';
import { announcement } from './announcement.js';
import { endsAtHangup } from './keep-reloadable.js';
import { stopTimes } from './stop-serving.js';

export interface PrimaryParts {
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
export async function serveByWorkers(parts: PrimaryParts): Promise<void> {
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
    await crew.stop();
    served?.close();
    if (!err) log.info('Stopped');
    await flush();
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
