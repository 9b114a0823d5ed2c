import type { Logger } from 'pino';
import { ConfigError } from '../../common/config-error.js';
import { Current } from '../../common/current.js';
import { type Deprecations, readDeprecations } from '../../features/usage/deprecations.js';
import { readTrustedDocuments, type TrustedDocuments } from '../../graphql/operation/trusted-documents.js';
import { type Config, settings } from '../config/config.js';

export interface ReloadParts {
  config: Config;
  /** Reads the settings again. @throws ConfigError */
  readSettings: () => Config;
  /** Those of all endpoints. */
  names: readonly string[];
  log: Logger;
}

export interface ReloadableSettings {
  inForce: Current<Reloadable>;
  /** Does what SIGHUP does. */
  reload(): void;
}

/**
 * What SIGHUP reads again, as it is in force. Everything is read before anything is exchanged, so that a wrong file
 * changes nothing. A process that writes to a terminal gets SIGHUP when that is closed, and ends as other programs do.
 * @throws ConfigError
 */
export function keepReloadable({ config, readSettings, names, log }: ReloadParts): ReloadableSettings {
  let inForce = readReloadable(config, names);
  const reload = () => {
    try {
      const read = readSettings();
      inForce = readReloadable(read, names);
      log.level = inForce.logLevel;
      const { logLevel, trustedDocuments, deprecations } = inForce;
      const documents = trustedDocuments && new Set(trustedDocuments.values()).size;
      log.info(
        { logLevel, trustedDocuments: documents, deprecations: deprecations.size },
        'The settings were reloaded',
      );
      const waiting = namesOfOthers(config, read);
      if (waiting.length > 0) log.warn({ settings: waiting }, 'These settings have changed and need a new start');
    } catch (error) {
      const reason = error instanceof ConfigError ? { problems: error.problems } : { err: error };
      log.error(reason, 'The settings could not be reloaded; those in force stay');
    }
  };
  if (!endsAtHangup()) process.on('SIGHUP', reload);
  return { inForce: new Current(() => inForce), reload };
}

/** Whether SIGHUP ends the process. */
export const endsAtHangup = (): boolean => process.stderr.isTTY === true;

/** The settings that have changed and are not read again. */
function namesOfOthers(before: Config, after: Config): string[] {
  return settings()
    .filter(({ key }) => !reloadableKeys.includes(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map(({ name }) => name);
}

/** The settings that SIGHUP reads again, with the files they name. */
interface Reloadable {
  logLevel: Config['logLevel'];
  /** If set, only these GraphQL operations are executed. */
  trustedDocuments: TrustedDocuments | undefined;
  deprecations: Deprecations;
}

/** Their settings; all others need a new start. */
const reloadableKeys: readonly (keyof Config)[] = ['logLevel', 'trustedDocuments', 'deprecations'];

/** `names` are those of all endpoints. @throws ConfigError with what is wrong with the files */
function readReloadable(
  { logLevel, trustedDocuments, deprecations }: Pick<Config, 'logLevel' | 'trustedDocuments' | 'deprecations'>,
  names: readonly string[],
): Reloadable {
  return {
    logLevel,
    trustedDocuments: trustedDocuments ? readTrustedDocuments(trustedDocuments) : undefined,
    deprecations: deprecations ? readDeprecations(deprecations, names) : new Map(),
  };
}
