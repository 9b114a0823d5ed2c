import type { Config } from '../config/config.js';

/**
 * The settings that hold for all workers together: the address, and what is counted for all. A replacing worker reads
 * the settings anew, but gets these from the primary process, which has read them at the start. Of `databaseReadUrl`,
 * workers have in common only whether there are standbys.
 */
export type KeptSettings = Pick<
  Config,
  'host' | 'port' | 'workers' | 'metricsPort' | 'rateLimit' | 'streamsAtOnce' | 'streamsPerKey' | 'databaseReadUrl'
>;

/** Each of them, also those that are not set. */
export function keptOf(config: KeptSettings): KeptSettings {
  const { host, port, workers, metricsPort, rateLimit, streamsAtOnce, streamsPerKey, databaseReadUrl } = config;
  return { host, port, workers, metricsPort, rateLimit, streamsAtOnce, streamsPerKey, databaseReadUrl };
}

/** The settings of a worker that has read `own`. */
export function settingsOf(own: Config, kept: KeptSettings): Config {
  const isAlike = own.databaseReadUrl.length > 0 === kept.databaseReadUrl.length > 0;
  return { ...own, ...keptOf(kept), ...(isAlike && { databaseReadUrl: own.databaseReadUrl }) };
}
