import type { Output } from '../../common/output.js';
import { serveMetrics, watchReadings } from '../../features/metrics/start-metrics.js';
import type { Config } from '../config/config.js';
import { announcement } from './announcement.js';
import type { Role } from './role.js';
import { stopTimes } from './stop-serving.js';

/** The role of a gateway that is a single process. */
export function alone({ config, output }: { config: Config; output: Output }): Role {
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
      return { isReplaced: () => false, end: () => served?.close() };
    },
  };
}
