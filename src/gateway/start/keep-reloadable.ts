import type { Logger } from 'pino';
import { ConfigError } from '../../common/config-error.js';
import { Current } from '../../common/kept.js';
import { readTrustedDocuments, type TrustedDocuments } from '../../graphql/operation/trusted-documents.js';
import { type Config, settings } from '../config/config.js';
import type { Feature, ServedFeature } from '../feature.js';
import { endsAtHangup } from './listen.js';

export interface ReloadParts {
  config: Config;
  /** Reads the settings again. @throws ConfigError */
  readSettings: () => Config;
  /** Those of all endpoints. */
  names: readonly string[];
  features: readonly Feature[];
  serving: readonly ServedFeature[];
  log: Logger;
}

/**
 * What SIGHUP reads again, as it is in force. Everything is read before anything is exchanged, so that a wrong file
 * changes nothing. A process that writes to a terminal gets SIGHUP when that is closed, and ends as other programs do.
 * `inForce` is what the log has told of it, and `reload` does what SIGHUP does.
 * @throws ConfigError
 */
export function keepReloadable(parts: ReloadParts) {
  const { config, readSettings, names, features, serving, log } = parts;
  const trusted = Current.of<TrustedDocuments | undefined>(undefined);
  /** All other settings, but for those of features, need a new start. */
  const own: NonNullable<ServedFeature['reloads']> = {
    keys: ['logLevel', 'trustedDocuments'],
    read({ logLevel, trustedDocuments: file }) {
      const documents = file ? readTrustedDocuments(file) : undefined;
      return () => {
        log.level = logLevel;
        trusted.replace(documents);
        return { logLevel, trustedDocuments: documents && new Set(documents.values()).size };
      };
    },
  };
  const all = [own, ...serving.flatMap(({ reloads }) => reloads ?? [])];
  const keys = all.flatMap((part) => part.keys);
  const putInForce = (given: Config) => {
    const read = all.map((part) => part.read(given, names));
    return Object.fromEntries(read.flatMap((apply) => Object.entries(apply())));
  };
  const inForce = Current.of(putInForce(config));
  const reload = () => {
    try {
      const read = readSettings();
      inForce.replace(putInForce(read));
      log.info(inForce.value, 'The settings were reloaded');
      const waiting = settings(features)
        .filter(({ key }) => !keys.includes(key) && config.texts[key] !== read.texts[key])
        .map(({ name }) => name);
      if (waiting.length > 0) log.warn({ settings: waiting }, 'These settings have changed and need a new start');
    } catch (error) {
      const reason = error instanceof ConfigError ? { problems: error.problems } : { err: error };
      log.error(reason, 'The settings could not be reloaded; those in force stay');
    }
  };
  if (!endsAtHangup()) process.on('SIGHUP', reload);
  return { inForce, trustedDocuments: trusted, reload };
}
