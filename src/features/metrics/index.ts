/** Metrics in the format of Prometheus, on a port of their own. */
import type { Config } from '../../gateway/config/config.js';
import type { Feature } from '../../gateway/feature.js';

/** What they need is loaded only where METRICS_PORT asks for them. */
const loaded = async ({ metricsPort }: Config) =>
  metricsPort === undefined ? undefined : import('./start-metrics.js');

export const metrics: Feature = {
  name: 'metrics',
  served: async () => ({ watch: async (starting) => (await loaded(starting.config))?.watchForMetrics(starting) }),
  primary: async (primary) => (await loaded(primary.config))?.startPrimaryMetrics(primary),
};
