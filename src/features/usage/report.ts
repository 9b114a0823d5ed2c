/** Who calls what, with what takes its place: for GraphQL and for the command line. */
import type { GraphQLSchema } from 'graphql';
import { oncePer } from '../../common/kept.js';
import type { Database } from '../../database/open-database.js';
import type { Endpoint } from '../../gateway/api.js';
import { type ApiKey, keysById } from '../keys/api-keys.js';
import type { Deprecations } from './deprecations.js';
import { deprecatedParts } from './note-uses.js';
import { type UseFilter, type UseOfKey, usesByKey } from './read-uses.js';
import { mostUses, type Use } from './usage.js';

/** An endpoint of REST, or a deprecated part of the schema. */
export interface Callable extends Pick<Use, 'surface' | 'name'> {
  /** `GET /api/assets/asset-repair`, or the coordinate again. */
  call: string;
  isDeprecated: boolean;
  /** For endpoints: since when it is deprecated, and when it ends. */
  since?: Date | undefined;
  sunset?: Date | undefined;
  /** The GraphQL operation that does the same as an endpoint, or the reason for which a part of the schema is deprecated. */
  readonly replacement: string;
}

/** What clients may call, by name; what was called under any other name exists no more. */
export type Callables = ReadonlyMap<string, Callable>;

export function callablesOf(
  endpoints: readonly Endpoint[],
  schema: GraphQLSchema,
  deprecations: Deprecations,
): Callables {
  const all = new Map<string, Callable>();
  for (const endpoint of endpoints) {
    const { name, method, path } = endpoint;
    const { since, sunset } = deprecations.get(name) ?? {};
    all.set(name, {
      surface: 'rest',
      name,
      call: `${method} ${path}`,
      isDeprecated: since !== undefined,
      since,
      sunset,
      get replacement() {
        return textOf(endpoint);
      },
    });
  }
  for (const [name, replacement] of deprecatedParts(schema))
    all.set(name, { surface: 'graphql', name, call: name, isDeprecated: true, replacement });
  return all;
}

/** Kept, because a report asks for it once for each key that calls the endpoint. */
const textOf = oncePer(({ text }: Endpoint) => text);

const deprecatedAmong = (callables: Callables): Callable[] =>
  [...callables.values()].filter(({ isDeprecated }) => isDeprecated);

export interface ReportFilter extends Omit<UseFilter, 'names'> {
  onlyDeprecated: boolean;
}

/** The calls of one thing by one key. */
export interface ReportedUse extends UseOfKey {
  /** Undefined for a key that is gone. */
  key: ApiKey | undefined;
  /** Undefined if it no longer exists. */
  callable: Callable | undefined;
}

/** Something deprecated, with how it is still called. */
export interface ReportedDeprecation extends Pick<Use, 'calls'> {
  callable: Callable;
  keys: number;
  /** Of the last call; undefined where nobody has called it. */
  lastAt: number | undefined;
}

/** By name, of each the keys that have called it last; a page of at most `limit`. */
export async function usageReport(
  database: Pick<Database, 'provider' | 'read' | 'client'>,
  callables: Callables,
  { onlyDeprecated, ...filter }: ReportFilter,
  page: { limit: number; offset: number },
): Promise<ReportedUse[]> {
  const names = onlyDeprecated ? deprecatedAmong(callables).map(({ name }) => name) : undefined;
  const uses = await usesByKey(database, { ...filter, names }, page);
  const keys = await keysById(database, [...new Set(uses.map(({ keyId }) => keyId))]);
  return uses.map((use) => ({ ...use, key: keys.get(use.keyId), callable: callables.get(use.name) }));
}

/** Everything that is deprecated. */
export async function deprecationReport(
  database: Pick<Database, 'provider' | 'read'>,
  callables: Callables,
): Promise<ReportedDeprecation[]> {
  const found = new Map<string, ReportedDeprecation>();
  for (const callable of deprecatedAmong(callables))
    found.set(callable.name, { callable, keys: 0, calls: 0, lastAt: undefined });
  const uses = await usesByKey(database, { names: [...found.keys()] }, { limit: mostUses, offset: 0 });
  for (const { name, calls, lastAt } of uses) {
    const reported = found.get(name);
    if (!reported) continue;
    reported.keys++;
    reported.calls += calls;
    reported.lastAt ??= lastAt;
  }
  return [...found.values()];
}
