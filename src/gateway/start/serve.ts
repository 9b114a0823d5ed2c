/** `records serve`: one process, or a primary process and its workers. */

import { Output } from '../../common/output.js';
import { explainingStart } from '../../database/explain-start.js';
import type { Config } from '../config/config.js';
import { FirstWorkerEnded } from '../workers/first-worker-ended.js';
import { readWorkerSelf } from '../workers/worker-self.js';
import { alone } from './alone.js';
import { serveAsWorker } from './serve-as-worker.js';
import { serveByWorkers } from './serve-by-workers.js';
import { serveHere } from './serve-here.js';

export { FirstWorkerEnded };

/** How the process was started, and where it writes. */
export interface ServeParts {
  config: Config;
  /** Reads the settings again, for SIGHUP. @throws ConfigError */
  readSettings: () => Config;
  /** The program of the command line and its arguments, with which workers are started. */
  program: { path: string; words: readonly string[] };
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
