/** Who calls what, with what takes its place: for GraphQL and for the command line. */

import type { Database } from '../../database/open-database.js';
import type { ApiKey } from '../../gateway/access/api-key.js';
import { keysById } from '../keys/api-keys.js';
import { type UseFilter, type UseOfAll, type UseOfKey, usesByKey, usesOfAll } from './read-uses.js';
import type { Callable, UsageHost } from './usage-host.js';

export interface ReportFilter extends Omit<UseFilter, 'names'> {
  name?: string | undefined;
  /** Only what is deprecated. */
  onlyDeprecated?: boolean;
}

/** The calls of one thing by one key. */
export interface ReportedUse extends UseOfKey {
  /** Undefined for a key that is gone. */
  key: ApiKey | undefined;
  /** Undefined if it no longer exists. */
  callable: Callable | undefined;
}

/** Something deprecated, with how it is still called; undefined where nobody has called it. */
export interface ReportedDeprecation {
  callable: Callable;
  use: UseOfAll | undefined;
}

type Reading = Pick<Database, 'provider' | 'read' | 'client'>;

/** By name, of each the keys that have called it last; a page of at most `limit`. */
export async function usageReport(
  database: Reading,
  host: UsageHost,
  { name, onlyDeprecated = false, ...filter }: ReportFilter,
  page: { limit: number; offset: number },
): Promise<ReportedUse[]> {
  const deprecated = host.deprecated.map((callable) => callable.name);
  const names = onlyDeprecated
    ? deprecated.filter((each) => name === undefined || each === name)
    : name === undefined
      ? undefined
      : [name];
  const uses = await usesByKey(database, { ...filter, names }, page);
  const keys = await keysById(database, [...new Set(uses.map(({ keyId }) => keyId))]);
  return uses.map((use) => ({ ...use, key: keys.get(use.keyId), callable: host.find(use.name) }));
}

/** Everything that is deprecated. */
export async function deprecationReport(database: Reading, { deprecated }: UsageHost): Promise<ReportedDeprecation[]> {
  const uses = await usesOfAll(database, { names: deprecated.map(({ name }) => name) });
  const byName = new Map(uses.map((use) => [use.name, use]));
  return deprecated.map((callable) => ({ callable, use: byName.get(callable.name) }));
}
