import type { Config } from '../config.js';

/**
 * The settings that hold for all workers together: the address, and what is counted for all. A replacing worker reads
 * the settings anew, but gets these from the primary process, which has read them at the start.
 */
export type KeptSettings = Pick<
  Config,
  'host' | 'port' | 'workers' | 'metricsPort' | 'rateLimit' | 'streamsAtOnce' | 'streamsPerKey'
>;

/** Each of them, also those that are not set. */
export function keptOf(config: KeptSettings): KeptSettings {
  const { host, port, workers, metricsPort, rateLimit, streamsAtOnce, streamsPerKey } = config;
  return { host, port, workers, metricsPort, rateLimit, streamsAtOnce, streamsPerKey };
}
