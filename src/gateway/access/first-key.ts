import { randomBytes } from 'node:crypto';
import type { Procedure, Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import { encodeBytes, newShortId } from '../../model/ids.js';
import { ENVIRONMENT_KEY, hashOf } from './authenticator.js';

// The secrets of API keys: `brg_<12 public characters>_<52 secret characters>`, in lower-case Crockford base32. The
// public prefix is the key's id, which may appear in logs. The rest encodes 32 random bytes. Only the SHA-256 of the
// secret is stored; with so many random bits no slow hash is needed.

/** Creates a secret and the id of its key. The secret is stored nowhere: show it once. */
export function newSecret(): { id: string; secret: string } {
  const id = newShortId('brg');
  return { id, secret: `${id}_${encodeBytes(randomBytes(32))}` };
}

/** The scopes of the first keys: everything, including the management of keys and webhooks. */
const everything = '* admin webhooks';

/**
 * Makes sure that at least one key is valid; returns the secret of a new key if it made one.
 *
 * The key in the setting API_KEY is valid while the setting names it: starting with another value replaces it, starting
 * without removes it. A revoked value stays revoked at every start. If several processes share a database, the last one
 * to start decides, so give all of them the same value. If there is no key at all, one is created; its secret is
 * returned here and stored nowhere.
 */
export async function ensureFirstKey(database: Database, apiKey: string | undefined): Promise<string | undefined> {
  const { perform, provider } = database;
  return perform(() => (apiKey ? setEnvironmentKey(provider, apiKey) : requireSomeKey(provider)));
}

function* setEnvironmentKey(provider: Provider, apiKey: string): Procedure<undefined> {
  const { sql, values } = insertion(provider, { id: ENVIRONMENT_KEY, name: 'API_KEY', hash: hashOf(apiKey) });
  yield {
    sql: `${sql} ON CONFLICT ("id") DO UPDATE SET
      "hash" = excluded."hash", "name" = excluded."name", "scopes" = excluded."scopes",
      "expiresAt" = NULL, "revokedAt" = NULL
      WHERE "ApiKey"."revokedAt" IS NULL OR "ApiKey"."hash" <> excluded."hash"`,
    values,
    isWhole: true,
  };
  return undefined;
}

function* requireSomeKey(provider: Provider): Procedure<string | undefined> {
  yield { sql: `DELETE FROM "ApiKey" WHERE "id" = '${ENVIRONMENT_KEY}' AND "revokedAt" IS NULL`, values: [] };
  if ((yield { sql: 'SELECT 1 FROM "ApiKey" LIMIT 1', values: [] }).length > 0) return undefined;
  const { id, secret } = newSecret();
  yield insertion(provider, { id, name: 'first key', hash: hashOf(secret) });
  return secret;
}

function insertion(provider: Provider, { id, name, hash }: { id: string; name: string; hash: string }): Statement {
  const insert = new StatementBuilder(provider);
  const values = [id, name, hash, everything, new Date()].map((value) => insert.bind(value));
  return insert.statement(
    `INSERT INTO "ApiKey" ("id", "name", "hash", "scopes", "createdAt") VALUES (${values.join()})`,
  );
}
