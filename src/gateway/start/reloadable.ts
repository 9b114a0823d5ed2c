/** The settings that SIGHUP reads again, with the files they name. */

import type { Deprecations } from '../../features/usage/deprecations.js';
import { readDeprecations } from '../../features/usage/read-deprecations.js';
import { readTrustedDocuments, type TrustedDocuments } from '../../graphql/operation/trusted-documents.js';
import type { Config } from '../config/config.js';

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
