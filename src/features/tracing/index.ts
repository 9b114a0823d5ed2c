/** Traces in the form of OpenTelemetry. */
import type { Feature } from '../../gateway/feature.js';

export const tracing: Feature = {
  name: 'tracing',
  served: async () => ({ watch: async ({ log }) => (await import('./start-tracing.js')).startTracing(log) }),
};
