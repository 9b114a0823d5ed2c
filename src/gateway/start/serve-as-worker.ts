import { watchReadings } from '../../features/metrics/start-metrics.js';
import { ids } from '../../query/ids.js';
import type { Config } from '../config/config.js';
import { settingsOf } from '../workers/kept-settings.js';
import { PositionTable } from '../workers/position-table.js';
import { PrimaryLink } from '../workers/primary-link.js';
import type { WorkerSelf } from '../workers/worker-self.js';
import type { Role } from './role.js';
import { type HereParts, serveHere } from './serve-here.js';
import { stopTimes } from './stop-serving.js';

/** Serves as one of several workers, which share what has a limit for all of them. */
export function serveAsWorker(parts: HereParts & { config: Config }, self: WorkerSelf): Promise<void> {
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
      return { isReplaced: () => isReplaced, end: () => {} };
    },
  };
  return serveHere(parts, role);
}
