/** The settings that SIGHUP reads again, with the files they name. */
import type { Config } from '../config/config.js';
import type { Deprecations } from '../deprecation/deprecations.js';
import { readDeprecations } from '../deprecation/read-deprecations.js';
import { readTrustedDocuments, type TrustedDocuments } from '../operation/trusted-documents.js';

export interface Reloadable {
  logLevel: Config['logLevel'];
  /** If set, only these GraphQL operations are executed. */
  trustedDocuments: TrustedDocuments | undefined;
  deprecations: Deprecations;
}

/** Their settings; all others need a new start. */
export const reloadableKeys: readonly (keyof Config)[] = ['logLevel', 'trustedDocuments', 'deprecations'];

/** `names` are those of all endpoints. @throws ConfigError with what is wrong with the files */
export function readReloadable(
  { logLevel, trustedDocuments, deprecations }: Pick<Config, 'logLevel' | 'trustedDocuments' | 'deprecations'>,
  names: readonly string[],
): Reloadable {
  return {
    logLevel,
    trustedDocuments: trustedDocuments ? readTrustedDocuments(trustedDocuments) : undefined,
    deprecations: deprecations ? readDeprecations(deprecations, names) : new Map(),
  };
}
