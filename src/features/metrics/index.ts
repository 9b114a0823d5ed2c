/** Metrics in the format of Prometheus, on a port of their own. */
import { type Config, settingsAfter } from '../../gateway/config/config.js';
import { optional, port, setting } from '../../gateway/config/setting.js';
import type { Feature } from '../../gateway/feature.js';

const settings = settingsAfter('trustedProxies', {
  metricsPort: setting({
    ...optional(port),
    meaning:
      'The port of HOST that serves GET /metrics in the format of Prometheus, without a key. If not set, nothing is measured.',
    isCommon: true,
  }),
});

/** What they do at a port is loaded only where METRICS_PORT names one. */
async function atPort(config: Config) {
  const { metricsPort } = settings.of(config);
  return metricsPort === undefined ? undefined : (await import('./start-metrics.js')).metricsAt(metricsPort);
}

export const metrics: Feature = {
  name: 'metrics',
  settings,
  served: async () => ({ watch: async (starting) => (await atPort(starting.config))?.watch(starting) }),
  primary: async (primary) => (await atPort(primary.config))?.primary(primary),
};
