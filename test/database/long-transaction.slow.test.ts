import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { freshDatabaseUrl, providers } from '../support/database.js';

test.concurrent.each(providers)(
  'a transaction may run as long as its request, on %s',
  { timeout: 60_000 },
  async (provider) => {
    const url = await freshDatabaseUrl(provider);
    const database = await openDatabase({ url, migrate: true, requestTimeout: 20_000 });
    try {
      const done = database.transaction(async (tx) => {
        await tx.$queryRawUnsafe('SELECT 1');
        // A second more than the timeout given to Prisma when requests are short.
        await sleep(16_000);
        await tx.$queryRawUnsafe('SELECT 1');
        return 'done';
      });
      expect(await done).toBe('done');
    } finally {
      await database.close();
    }
  },
);
