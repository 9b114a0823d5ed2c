import { describe, expect, onTestFinished, test } from 'vitest';
import { type OpenOptions, openDatabase } from '../../src/database/open-database.js';
import { emptyDatabaseUrl, freshDatabaseUrl, providers } from '../support/database.js';

async function open(options: Partial<OpenOptions> & { url: string }) {
  const database = await openDatabase({ migrate: true, ...options });
  onTestFinished(() => database.close());
  return database;
}

function key(id: string) {
  return { id, name: 'test', hash: id, createdAt: new Date() };
}

describe.each(providers)('opening %s', (provider) => {
  test('makes and migrates a database that is not there', async () => {
    const applied: string[] = [];
    const database = await open({ url: await emptyDatabaseUrl(provider), log: (line) => applied.push(line) });
    expect(applied.length).toBeGreaterThan(1);
    expect(await database.client.subscriptionSettings.findMany()).toMatchObject([
      { id: 'subscription-settings_default', gracePeriod: 1, prorate: true },
    ]);
  });

  test('a transaction keeps all or nothing', async () => {
    const { client, transaction } = await open({ url: await freshDatabaseUrl(provider) });
    await transaction((tx) => tx.apiKey.create({ data: key('kept') }));
    const failure = transaction(async (tx) => {
      await tx.apiKey.create({ data: key('dropped') });
      throw new Error('on purpose');
    });
    await expect(failure).rejects.toThrow('on purpose');
    expect(await client.apiKey.findMany({ select: { id: true } })).toEqual([{ id: 'kept' }]);
  });

  test('reports every statement when asked', async () => {
    const statements: string[] = [];
    const { client, transaction } = await open({
      url: await freshDatabaseUrl(provider),
      watchStatements: () => (sql) => {
        statements.push(sql.slice(0, 6));
        return undefined;
      },
    });
    await client.apiKey.findMany();
    await transaction((tx) => tx.apiKey.create({ data: key('a') }));
    expect(statements).toEqual(['SELECT', 'BEGIN', 'INSERT', 'COMMIT']);
  });

  test('stays closed once it is closed', async () => {
    const database = await openDatabase({ url: await freshDatabaseUrl(provider), migrate: true });
    await database.ping();
    await database.close();
    await expect(database.client.apiKey.findMany()).rejects.toMatchObject({ cause: { kind: 'ConnectionClosed' } });
    await expect(database.ping()).rejects.toThrow();
  });
});
