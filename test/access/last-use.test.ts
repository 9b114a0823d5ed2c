/** The last use of a key is known to the minute, and storing it delays no request. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { keepLastUse } from '../../src/gateway/access/authenticator.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { startGateway } from '../support/gateway.js';
import { Sqlite } from '../support/sqlite-library.js';
import { callerWith } from './keys.js';

const silent = { debug: () => {} };
const list = '/api/stock/serial-no';

onBothDatabases(
  (gateway) => {
    const lastUse = async (id: string) =>
      (await gateway().database.client.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt;
    const writes = () => gateway().statements.filter((sql) => /^UPDATE .*ApiKey/s.test(sql)).length;

    test('many requests are one write, which comes after their answers', async () => {
      const caller = await callerWith(gateway(), 'stock:read');
      const before = writes();
      const start = Date.now();
      // Longer than a looked-up key is cached, so that it is looked up more than once.
      for (let round = 0; round < 8; round++) {
        await Promise.all([caller.rest('GET', list), caller.graphql('{ serialNos { totalCount } }'), sleep(100)]);
        if (Date.now() - start < 800) expect(await lastUse(caller.id)).toBeNull();
      }
      const answered = Date.now();
      await expect.poll(() => lastUse(caller.id)).toBeInstanceOf(Date);
      await sleep(700);
      await caller.rest('GET', list);
      await sleep(300);
      expect(writes() - before).toBe(1);
      expect(Number(await lastUse(caller.id))).toBeLessThanOrEqual(answered);
    });

    test.each([
      ['is not written over by another process within the minute', 30_000, false],
      ['is written again after a minute', 61_000, true],
    ])('a use %s', async (_, ago, written) => {
      const { apiKey } = await createKey(gateway().database, { name: 'n', scopes: ['*'] });
      const lastUsedAt = new Date(Date.now() - ago);
      await gateway().database.client.apiKey.update({ where: { id: apiKey.id }, data: { lastUsedAt } });
      // The last use that this process has seen is even older.
      keepLastUse(gateway().database, silent, 0)(apiKey.id, null);
      const isWritten = async () => (await lastUse(apiKey.id))?.getTime() !== lastUsedAt.getTime();
      if (!written) await sleep(200);
      await expect.poll(isWritten).toBe(written);
    });

    test('a request with an expired key is no use of it', async () => {
      const { apiKey, secret } = await createKey(gateway().database, { name: 'n', scopes: ['*'] });
      const expiresAt = new Date(Date.now() - 1000);
      await gateway().database.client.apiKey.update({ where: { id: apiKey.id }, data: { expiresAt } });
      const headers = { authorization: `Bearer ${secret}` };
      expect((await gateway().rest('GET', list, undefined, headers)).status).toBe(401);
      await sleep(1500);
      expect(await lastUse(apiKey.id)).toBeNull();
    });

    test('a key used less than a minute ago is not written to at all', async () => {
      const { apiKey } = await createKey(gateway().database, { name: 'n', scopes: ['*'] });
      const before = writes();
      const noteUse = keepLastUse(gateway().database, silent, 0);
      noteUse(apiKey.id, new Date(Date.now() - 30_000));
      await sleep(100);
      expect(writes()).toBe(before);
    });
    // A gateway of its own, because requests of another test file to a shared gateway would be counted.
  },
  { own: true },
);

describe('where nothing can be written', () => {
  test('a key still works, at once', async () => {
    const gateway = await startGateway();
    const caller = await callerWith(gateway, 'stock:read');
    const holder = new Sqlite(gateway.config.databaseUrl.slice('file:'.length));
    holder.exec('BEGIN IMMEDIATE');
    for (let round = 0; round < 2; round++) {
      const start = performance.now();
      expect((await caller.rest('GET', list)).status).toBe(200);
      // To wait for the lock would take ten seconds.
      expect(performance.now() - start).toBeLessThan(8000);
      await sleep(700);
    }
    holder.close();
    await gateway.close();
  });

  test('the only effect is a line in the log', async () => {
    const gateway = await startGateway();
    const caller = await callerWith(gateway, 'stock:read');
    await gateway.database.client.$executeRaw`
      CREATE TRIGGER refuse BEFORE UPDATE ON "ApiKey" BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`;
    expect((await caller.rest('GET', list)).status).toBe(200);
    await expect
      .poll(() => gateway.logLines.find((line) => line.includes('could not be stored')))
      .toContain('"level":"debug"');
    await gateway.close();
  });
});
