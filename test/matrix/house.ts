/** The gateways of the matrix, each with the records its cells are about. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { createKey, revokeKey } from '../../src/access/api-keys.js';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type KeyName, keys } from './attempt.js';
import { attemptIn, type Cell, wayIn } from './cells.js';
import { Client } from './client.js';
import { documentOf } from './document.js';
import { put } from './found.js';
import type { House } from './guard.js';
import { trustedName } from './request.js';

export interface OpenHouse {
  gateway: TestGateway;
  client: Client;
  /** The secret of a key; undefined for none. */
  tokenOf(name: KeyName): string | undefined;
  /** Blocks all writes of repairs until the returned function is called. */
  lock(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const settings: Record<House, Record<string, string>> = {
  'as ever': {},
  'spent key': { RATE_LIMIT: '1' },
  crowded: { REQUESTS_AT_ONCE: '1' },
  locked: { REQUEST_TIMEOUT: '0.5' },
  'small answers': { ANSWER_LIMIT: '1' },
};

/** Five hundred of them exceed the limit of the gateway with small answers. */
export const largeText = 'x'.repeat(3000);

/** Whether a cell is for the gateway with trusted documents. */
export const isTrusted = ({ row }: Cell): boolean => row.text?.startsWith('trusted') === true;

/** Starts a gateway of the kind for these cells. */
export async function openHouse(provider: Provider, house: House, cells: readonly Cell[]): Promise<OpenHouse> {
  const url = await freshDatabaseUrl(provider);
  const trusted: Record<string, string> = cells.some(isTrusted) ? { TRUSTED_DOCUMENTS: trustedDocuments(cells) } : {};
  const env = { SEARCH: 'true', ...settings[house], ...trusted, DATABASE_URL: url };
  const gateway = await startGateway({ env });
  await put(
    gateway.database,
    cells.flatMap(({ guard, deed, targets }) => {
      const needs = guard.needs?.(deed) ?? deed.needs;
      return needs ? targets.map((target) => ({ target, needs })) : [];
    }),
    house === 'small answers' ? largeText : null,
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
  const made = async (name: KeyName, expiresAt: Date | null = null): Promise<string> => {
    const { apiKey, secret } = await createKey(database, { name, scopes: [...keys[name]], expiresAt });
    if (name === 'revoked') await revokeKey(database, apiKey.id);
    return secret;
  };
  const expired = await made('expired', new Date(Date.now() + 60_000));
  await database.client.apiKey.updateMany({
    where: { name: 'expired' },
    data: { expiresAt: new Date(Date.now() - 1000) },
  });
  return new Map<KeyName, string>([
    ['everything', key],
    ['unknown', `brg_${'0'.repeat(12)}_${'0'.repeat(52)}`],
    ['expired', expired],
    ['revoked', await made('revoked')],
    ['another area', await made('another area')],
    ['reads only', await made('reads only')],
    ['writes only', await made('writes only')],
  ]);
}

function trustedDocuments(cells: readonly Cell[]): string {
  const texts = cells.flatMap((cell) =>
    cell.targets.flatMap((target) => {
      const attempt = attemptIn(cell, target);
      return attempt.untrusted ? [] : [documentOf(attempt, wayIn(cell)).query];
    }),
  );
  const file = join(freshFolder(), 'trusted.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(texts.map((text) => [trustedName(text), text]))));
  return file;
}

async function lockSqlite(url: string): Promise<() => Promise<void>> {
  const holder = new Sqlite(url.slice('file:'.length));
  holder.exec('BEGIN IMMEDIATE');
  return async () => {
    holder.exec('ROLLBACK');
    holder.close();
  };
}

async function lockPostgresql(url: string): Promise<() => Promise<void>> {
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "AssetRepair", "AssetRepairConsumedItem" IN ACCESS EXCLUSIVE MODE');
  return () => holder.end();
}
