/** The gateways of the matrix, each with the records that its cells need. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { createKey, revokeKey } from '../../src/features/keys/api-keys.js';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Sqlite } from '../support/sqlite-library.js';
import { type Cell, graphqlCallIn, graphqlVariantIn } from './cells.js';
import { Client } from './client.js';
import { documentOf } from './document.js';
import type { GatewayState } from './guard.js';
import { type KeyName, keys } from './keys.js';
import { trustedName } from './outgoing-request.js';
import { insertTargets } from './stored-records.js';

export interface GatewayFixture {
  gateway: TestGateway;
  client: Client;
  /** The secret of a key; undefined for none. */
  tokenOf(name: KeyName): string | undefined;
  /** Blocks all writes of repairs until the returned function is called. */
  lock(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const settings: Record<GatewayState, Record<string, string>> = {
  normal: {},
  'rate limit reached': { RATE_LIMIT: '1' },
  'all places taken': { REQUESTS_AT_ONCE: '1' },
  'tables locked': { REQUEST_TIMEOUT: '0.5' },
  'small answer limit': { ANSWER_LIMIT: '1' },
};

/** Five hundred texts of this length exceed the limit of answers of the gateway in the state `small answer limit`. */
export const largeText = 'x'.repeat(3000);

/** Whether a cell is for the gateway with trusted documents. */
export const isTrusted = ({ row }: Cell): boolean => row.text?.startsWith('trusted') === true;

/** Starts a gateway for cells that need this state, and inserts their records. */
export async function startGatewayFixture(
  provider: Provider,
  state: GatewayState,
  cells: readonly Cell[],
): Promise<GatewayFixture> {
  const url = await freshDatabaseUrl(provider);
  const trusted: Record<string, string> = cells.some(isTrusted) ? { TRUSTED_DOCUMENTS: trustedDocuments(cells) } : {};
  const env = { SEARCH: 'true', ...settings[state], ...trusted, DATABASE_URL: url };
  const gateway = await startGateway({ env });
  await insertTargets(
    gateway.database,
    cells.flatMap(({ guard, operation, targets }) => {
      const needs = guard.needs?.(operation) ?? operation.needs;
      return needs ? targets.map((target) => ({ target, needs })) : [];
    }),
    state === 'small answer limit' ? largeText : null,
  );
  const secrets = await secretsOf(gateway);
  const client = new Client(gateway.url);
  return {
    gateway,
    client,
    tokenOf: (name) => secrets.get(name),
    lock: () => (provider === 'sqlite' ? lockSqlite(url) : lockPostgresql(url)),
    close: async () => {
      client.close();
      await gateway.close();
    },
  };
}

async function secretsOf({ database, key }: TestGateway): Promise<ReadonlyMap<KeyName, string>> {
  const secretOf = async (name: KeyName, expiresAt: Date | null = null): Promise<string> => {
    const { apiKey, secret } = await createKey(database, { name, scopes: [...keys[name]], expiresAt });
    if (name === 'revoked') await revokeKey(database, apiKey.id);
    return secret;
  };
  const expired = await secretOf('expired', new Date(Date.now() + 60_000));
  await database.client.apiKey.updateMany({
    where: { name: 'expired' },
    data: { expiresAt: new Date(Date.now() - 1000) },
  });
  return new Map<KeyName, string>([
    ['everything', key],
    ['unknown', `brg_${'0'.repeat(12)}_${'0'.repeat(52)}`],
    ['expired', expired],
    ['revoked', await secretOf('revoked')],
    ['another area', await secretOf('another area')],
    ['reads only', await secretOf('reads only')],
    ['writes only', await secretOf('writes only')],
  ]);
}

function trustedDocuments(cells: readonly Cell[]): string {
  const texts = cells.flatMap((cell) =>
    cell.targets.flatMap((target) => {
      const call = graphqlCallIn(cell, target);
      return call.untrusted ? [] : [documentOf(call, graphqlVariantIn(cell)).query];
    }),
  );
  const file = join(freshFolder(), 'trusted.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(texts.map((text) => [trustedName(text), text]))));
  return file;
}

async function lockSqlite(url: string): Promise<() => Promise<void>> {
  const connection = new Sqlite(url.slice('file:'.length));
  connection.exec('BEGIN IMMEDIATE');
  return async () => {
    connection.exec('ROLLBACK');
    connection.close();
  };
}

async function lockPostgresql(url: string): Promise<() => Promise<void>> {
  const connection = new pg.Client(url);
  await connection.connect();
  await connection.query('BEGIN; LOCK TABLE "AssetRepair", "AssetRepairConsumedItem" IN ACCESS EXCLUSIVE MODE');
  return () => connection.end();
}
