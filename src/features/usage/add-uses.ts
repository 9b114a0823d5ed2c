import { type Procedure, rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { mostUserAgents, mostUses, type Use } from './use.js';

/**
 * Adds uses to the stored ones in one transaction. Beyond `most` rows, the uses with the oldest calls are deleted.
 * Processes that do so at the same time take turns.
 */
export function* addUses(provider: Provider, uses: readonly Use[], most = mostUses): Procedure<void> {
  const sql = texts[provider];
  if (sql.lock) yield* rows(sql.lock, []);
  const keyIds = [...new Set(uses.map(({ keyId }) => keyId))];
  const stored = yield* rows(sql.userAgents, [JSON.stringify(keyIds)]);
  const known = new Map<string, Set<string>>();
  const knownOf = (id: string) => {
    const found = known.get(id) ?? new Set<string>();
    known.set(id, found);
    return found;
  };
  for (const [keyId, surface, name, userAgent] of stored) {
    if (userAgent !== '') knownOf(`${keyId} ${surface} ${name}`).add(String(userAgent));
  }
  const added = new Map<string, Use>();
  for (const use of uses) {
    const id = `${use.keyId} ${use.surface} ${use.name}`;
    const userAgents = knownOf(id);
    if (userAgents.size < mostUserAgents && use.userAgent !== '') userAgents.add(use.userAgent);
    const userAgent = userAgents.has(use.userAgent) ? use.userAgent : '';
    const row = added.get(`${id} ${userAgent}`);
    added.set(`${id} ${userAgent}`, row ? together(row, use) : { ...use, userAgent });
  }
  const values = [...added.values()].map((use) => [
    use.keyId,
    use.surface,
    use.name,
    use.userAgent,
    use.calls,
    use.firstAt,
    use.lastAt,
  ]);
  yield* rows(sql.add, [JSON.stringify(values)]);
  yield* rows(sql.forget, [most]);
}

const together = (one: Use, other: Use): Use => ({
  ...one,
  calls: one.calls + other.calls,
  firstAt: Math.min(one.firstAt, other.firstAt),
  lastAt: Math.max(one.lastAt, other.lastAt),
});

const columns = '"keyId", "surface", "name", "userAgent", "calls", "firstAt", "lastAt"';
const key = '"keyId", "surface", "name", "userAgent"';

/** `least` and `greatest` are the functions of the smaller and the greater value. */
const onConflict = (least: string, greatest: string) => `
  ON CONFLICT (${key}) DO UPDATE SET
    "calls" = "ApiUse"."calls" + excluded."calls",
    "firstAt" = ${least}("ApiUse"."firstAt", excluded."firstAt"),
    "lastAt" = ${greatest}("ApiUse"."lastAt", excluded."lastAt")`;

/** The rows beyond the most that are kept, by the column that names a row. */
const forget = (row: string, all: string, most: string) => `
  DELETE FROM "ApiUse" WHERE ${row} IN
    (SELECT ${row} FROM "ApiUse" ORDER BY "lastAt" DESC, ${key} ${all} OFFSET ${most})`;

const texts: Record<Provider, { lock?: string; userAgents: string; add: string; forget: string }> = {
  sqlite: {
    userAgents: `SELECT ${key} FROM "ApiUse" WHERE "keyId" IN (SELECT value FROM json_each(?))`,
    // "WHERE true" tells SQLite that ON belongs to the INSERT.
    add: `INSERT INTO "ApiUse" (${columns})
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
      FROM json_each(?) WHERE true ${onConflict('min', 'max')}`,
    forget: forget('rowid', 'LIMIT -1', '?'),
  },
  postgresql: {
    lock: 'SELECT gateway_claim_uses()',
    userAgents: `SELECT ${key} FROM "ApiUse" WHERE "keyId" = ANY (ARRAY(SELECT json_array_elements_text($1::json)))`,
    add: `INSERT INTO "ApiUse" (${columns})
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3,
             (value ->> 4)::bigint, (value ->> 5)::bigint, (value ->> 6)::bigint
      FROM json_array_elements($1::json) ${onConflict('least', 'greatest')}`,
    forget: forget('ctid', '', '$1'),
  },
};
