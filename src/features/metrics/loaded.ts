/** What is loaded where something is measured, in one module: each that is loaded by itself would split the bundle further. */
export { Metrics } from './metrics.js';
export { metricsServer } from './metrics-server.js';
export { PrimaryMetrics } from './primary-metrics.js';
