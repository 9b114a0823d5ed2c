/** Reads who calls what, as it is stored: what is still counted in memory is added within a minute. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import type { Use, UsedSurface } from './usage.js';

/** Which uses to read; what is left out or null is no condition. */
export interface UseFilter {
  surface?: UsedSurface | null | undefined;
  name?: string | null | undefined;
  keyId?: string | null | undefined;
  /** Only of what has one of these names. */
  names?: readonly string[] | undefined;
  /** Only of keys that have called it since. */
  since?: Date | null | undefined;
}

/** The calls of one thing by one key. */
export interface UseOfKey extends Omit<Use, 'userAgent'> {
  /** The latest first. */
  userAgents: readonly Pick<Use, 'userAgent' | 'calls' | 'firstAt' | 'lastAt'>[];
}

/** By name, of each the keys that have called it last. */
export async function usesByKey(
  { provider, read }: Pick<Database, 'provider' | 'read'>,
  { since, ...filter }: UseFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<UseOfKey[]> {
  if (!read) throw new Error('Uses are read outside of transactions');
  const given = [JSON.stringify(filter), since?.getTime() ?? 0, limit, offset];
  const found = await read(texts[provider], given, 'unbounded');
  return found.map(([keyId, surface, name, agents, ...counts]) => {
    const userAgents: [agent: string, ...counts: number[]][] = JSON.parse(String(agents));
    return {
      keyId: String(keyId),
      surface: surface === 'graphql' ? 'graphql' : 'rest',
      name: String(name),
      ...countsOf(counts),
      userAgents: userAgents
        .map(([userAgent, ...counts]) => ({ userAgent, ...countsOf(counts) }))
        .sort((one, other) => other.lastAt - one.lastAt),
    };
  });
}

const countsOf = ([calls, firstAt, lastAt]: readonly unknown[]) => ({
  calls: Number(calls),
  firstAt: Number(firstAt),
  lastAt: Number(lastAt),
});

const agent = '"userAgent", "calls", "firstAt", "lastAt"';

/** `agents` is the JSON of a group, `filter` that of the filter, and `names` are the names in it. */
const text = (agents: string, filter: string, names: string) => `
  SELECT "keyId", "surface", "name", ${agents}, sum("calls"), min("firstAt"), max("lastAt") FROM "ApiUse"
  WHERE "surface" = coalesce(${filter} ->> 'surface', "surface") AND "name" = coalesce(${filter} ->> 'name', "name")
    AND "keyId" = coalesce(${filter} ->> 'keyId', "keyId") AND (${filter} ->> 'names' IS NULL OR "name" IN (${names}))
  GROUP BY "keyId", "surface", "name" HAVING max("lastAt") >= $2
  ORDER BY "name", max("lastAt") DESC, "keyId" LIMIT $3 OFFSET $4`;

const texts: Record<Provider, string> = {
  sqlite: text(`json_group_array(json_array(${agent}))`, '$1', "SELECT value FROM json_each($1, '$.names')").replaceAll(
    /\$(?=\d)/g,
    '?',
  ),
  postgresql: text(
    `json_agg(json_build_array(${agent}))::text`,
    '$1::json',
    "SELECT json_array_elements_text($1::json -> 'names')",
  ),
};
