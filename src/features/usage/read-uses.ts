/** Reads who calls what, as it is stored: what is still counted in memory is added within a minute. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import type { Use, UsedSurface } from './use.js';

/** Which uses to read; what is left out is no condition. */
export interface UseFilter {
  surface?: UsedSurface | undefined;
  keyId?: string | undefined;
  names?: readonly string[] | undefined;
  /** Only of keys that have called it since. */
  since?: Date | undefined;
}

/** The calls of one thing by one key. */
export interface UseOfKey extends Omit<Use, 'userAgent'> {
  /** The latest first. */
  userAgents: readonly Pick<Use, 'userAgent' | 'calls' | 'firstAt' | 'lastAt'>[];
}

/** The calls of one thing by all keys. */
export interface UseOfAll extends Pick<Use, 'surface' | 'name' | 'calls' | 'firstAt' | 'lastAt'> {
  keys: number;
}

type Reading = Pick<Database, 'provider' | 'read'>;

/** By name, of each the keys that have called it last. */
export async function usesByKey(
  database: Reading,
  filter: UseFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<UseOfKey[]> {
  const { where, having, values } = conditions(database.provider, filter);
  const agent = '"userAgent", "calls", "firstAt", "lastAt"';
  const agents =
    database.provider === 'sqlite'
      ? `json_group_array(json_array(${agent}))`
      : `json_agg(json_build_array(${agent}))::text`;
  const found = await readRows(
    database,
    `SELECT "keyId", ${agents}, ${totals} FROM "ApiUse" ${where}
     GROUP BY "keyId", "surface", "name" ${having}
     ORDER BY "name", max("lastAt") DESC, "keyId" LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  return found.map(([keyId, all, ...use]) => {
    const userAgents: [agent: string, ...counts: number[]][] = JSON.parse(String(all));
    return {
      keyId: String(keyId),
      ...useIn(use),
      userAgents: userAgents
        .map(([userAgent, ...counts]) => ({ userAgent, ...countsOf(counts) }))
        .sort((one, other) => other.lastAt - one.lastAt),
    };
  });
}

/** By name. */
export async function usesOfAll(database: Reading, filter: UseFilter): Promise<UseOfAll[]> {
  const { where, having, values } = conditions(database.provider, filter);
  const found = await readRows(
    database,
    `SELECT count(DISTINCT "keyId"), ${totals} FROM "ApiUse" ${where}
     GROUP BY "surface", "name" ${having} ORDER BY "name"`,
    values,
  );
  return found.map(([keys, ...use]) => ({ keys: Number(keys), ...useIn(use) }));
}

const totals = '"surface", "name", sum("calls"), min("firstAt"), max("lastAt")';

const useIn = ([surface, name, ...counts]: readonly unknown[]) => ({
  surface: surface === 'graphql' ? ('graphql' as const) : ('rest' as const),
  name: String(name),
  ...countsOf(counts),
});

const countsOf = ([calls, firstAt, lastAt]: readonly unknown[]) => ({
  calls: Number(calls),
  firstAt: Number(firstAt),
  lastAt: Number(lastAt),
});

function conditions(provider: Provider, { surface, keyId, names, since }: UseFilter) {
  const values: (string | number)[] = [];
  const bind = (value: string | number) => {
    values.push(value);
    return provider === 'sqlite' ? `?${values.length}` : `$${values.length}`;
  };
  const among = (list: readonly string[]) => {
    const place = bind(JSON.stringify(list));
    return provider === 'sqlite'
      ? `(SELECT value FROM json_each(${place}))`
      : `(SELECT json_array_elements_text(${place}::json))`;
  };
  const all = [
    ...(surface === undefined ? [] : [`"surface" = ${bind(surface)}`]),
    ...(keyId === undefined ? [] : [`"keyId" = ${bind(keyId)}`]),
    ...(names === undefined ? [] : [`"name" IN ${among(names)}`]),
  ];
  const where = all.length > 0 ? `WHERE ${all.join(' AND ')}` : '';
  const having = since ? `HAVING max("lastAt") >= ${bind(since.getTime())}` : '';
  return { where, having, values };
}

async function readRows({ read }: Reading, sql: string, values: readonly (string | number)[]) {
  if (!read) throw new Error('Uses are read outside of transactions');
  return read(sql, values, 'unbounded');
}
