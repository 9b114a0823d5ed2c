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
  const found = await readRows(
    database,
    `SELECT "keyId", "surface", "name", ${totals} FROM "ApiUse" ${where}
     GROUP BY "keyId", "surface", "name" ${having}
     ORDER BY "name", max("lastAt") DESC, "keyId" LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  const uses = found.map(([keyId, surface, name, ...counts]) => ({
    keyId: String(keyId),
    surface: surfaceOf(surface),
    name: String(name),
    ...countsOf(counts),
  }));
  const userAgents = await userAgentsOf(database, uses);
  return uses.map((use) => ({ ...use, userAgents: userAgents.get(idOf(use)) ?? [] }));
}

/** By name. */
export async function usesOfAll(database: Reading, filter: UseFilter): Promise<UseOfAll[]> {
  const { where, having, values } = conditions(database.provider, filter);
  const found = await readRows(
    database,
    `SELECT count(DISTINCT "keyId"), "surface", "name", ${totals} FROM "ApiUse" ${where}
     GROUP BY "surface", "name" ${having} ORDER BY "name"`,
    values,
  );
  return found.map(([keys, surface, name, ...counts]) => ({
    keys: Number(keys),
    surface: surfaceOf(surface),
    name: String(name),
    ...countsOf(counts),
  }));
}

const totals = 'sum("calls"), min("firstAt"), max("lastAt")';

const countsOf = ([calls, firstAt, lastAt]: readonly unknown[]) => ({
  calls: Number(calls),
  firstAt: Number(firstAt),
  lastAt: Number(lastAt),
});

const surfaceOf = (text: unknown): UsedSurface => (text === 'graphql' ? 'graphql' : 'rest');

const idOf = ({ keyId, name }: Pick<Use, 'keyId' | 'name'>): string => `${keyId} ${name}`;

async function userAgentsOf(database: Reading, uses: readonly Omit<UseOfKey, 'userAgents'>[]) {
  const pairs = JSON.stringify(uses.map(({ keyId, name }) => [keyId, name]));
  const from = database.provider === 'sqlite' ? 'json_each(?1)' : 'json_array_elements($1::json)';
  const found = await readRows(
    database,
    `SELECT "keyId", "name", "userAgent", "calls", "firstAt", "lastAt" FROM "ApiUse"
     WHERE ("keyId", "name") IN (SELECT value ->> 0, value ->> 1 FROM ${from}) ORDER BY "lastAt" DESC`,
    [pairs],
  );
  const userAgents = new Map<string, UseOfKey['userAgents'][number][]>();
  for (const [keyId, name, userAgent, ...counts] of found) {
    const id = idOf({ keyId: String(keyId), name: String(name) });
    const known = userAgents.get(id) ?? [];
    known.push({ userAgent: String(userAgent), ...countsOf(counts) });
    userAgents.set(id, known);
  }
  return userAgents;
}

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
