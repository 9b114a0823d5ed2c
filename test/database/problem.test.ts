import { openSync, statSync, writeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { databaseProblem } from '../../src/database/database-problem.js';
import { openDatabase } from '../../src/database/open-database.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { apiKey } from '../support/sqlite.js';

async function open(url: string) {
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  return database;
}

test('a damaged SQLite file is refused at the start', async () => {
  const url = await freshDatabaseUrl('sqlite');
  const { client } = await open(url);
  await client.apiKey.createMany({ data: Array.from({ length: 2000 }, (_, i) => apiKey(`key ${i}`)) });
  await client.$queryRawUnsafe('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
  const path = url.slice('file:'.length);
  const file = openSync(path, 'r+');
  const garbage = Buffer.alloc(4096, 0xa5);
  for (let page = 4096; page < statSync(path).size; page += 4096) writeSync(file, garbage, 0, 4096, page);
  const second = await openDatabase({ url, migrate: true }).catch((error: unknown) => error);
  expect(String(second)).toMatch(/is damaged. Restore a backup/);
});

test.each(providers)('on %s, what a caller did wrong is not the trouble of the database', async (provider) => {
  const { client, transaction } = await open(await freshDatabaseUrl(provider));
  await client.apiKey.create({ data: apiKey('taken') });
  const mistakes = [
    () => client.apiKey.create({ data: apiKey('taken') }),
    () => client.apiKey.update({ where: { id: 'absent' }, data: { name: 'n' } }),
    () => client.$queryRawUnsafe('SELEKT'),
    () => transaction(() => Promise.reject(new Error('a bug'))),
  ];
  for (const mistake of mistakes) {
    const error = await mistake().then(undefined, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(databaseProblem(error)).toBeUndefined();
  }
  expect(databaseProblem('no error at all')).toBeUndefined();
});

test.each(providers)('on %s, a closed database is unavailable', async (provider) => {
  const database = await openDatabase({ url: await freshDatabaseUrl(provider), migrate: true });
  await database.close();
  const error = await database.client.apiKey.count().then(undefined, (reason: unknown) => reason);
  expect(databaseProblem(error)).toBe('database_unavailable');
});

test('a database error is recognised inside the error that wraps it', () => {
  const driver = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
  expect(databaseProblem(new Error('masked', { cause: driver }))).toBe('database_unavailable');
});
