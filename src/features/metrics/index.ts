/** Metrics in the format of Prometheus, on a port of their own. */
import { type Config, valuesOfFeature } from '../../gateway/config/config.js';
import { port, setting } from '../../gateway/config/setting.js';
import type { Feature } from '../../gateway/feature.js';

const settings = {
  after: 'trustedProxies' as const,
  entries: {
    metricsPort: setting({
      name: 'METRICS_PORT',
      form: port.optional(),
      meaning:
        'The port of HOST that serves GET /metrics in the format of Prometheus, without a key. If not set, nothing is measured.',
      requirement: 'must be a whole number from 0 to 65535',
      isCommon: true,
    }),
  },
};

/** What they do at a port is loaded only where METRICS_PORT names one. */
async function atPort(config: Config) {
  const { metricsPort } = valuesOfFeature(config, settings);
  return metricsPort === undefined ? undefined : (await import('./start-metrics.js')).metricsAt(metricsPort);
}

export const metrics: Feature = {
  name: 'metrics',
  settings,
  served: async () => ({ watch: async (starting) => (await atPort(starting.config))?.watch(starting) }),
  primary: async (primary) => (await atPort(primary.config))?.primary(primary),
};
