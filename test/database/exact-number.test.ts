import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { exactNumber } from '../../src/query/condition.js';
import { delegate } from '../../src/query/delegate.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { runs } from '../support/thorough.js';

describe.each(providers)('on %s', (provider) => {
  test('every double comes out as it went in, and is found by itself', async () => {
    const database = await openDatabase({ url: await freshDatabaseUrl(provider), migrate: true });
    onTestFinished(() => database.close());
    const repairs = database.client.assetRepair;
    let count = 0;
    const comesOut = async (value: number) => {
      const now = new Date();
      const data = { id: `${++count}`, failureDate: 'd', asset: 'a', createdAt: now, updatedAt: now };
      await repairs.create({ data });
      await database.client.$executeRaw`UPDATE "AssetRepair" SET "totalRepairCost" = ${value} WHERE "id" = ${data.id}`;
      const where = { id: data.id, totalRepairCost: exactNumber(value) };
      const [row] = await delegate(database.client, { delegate: 'assetRepair' }).findMany({ where, take: 1 });
      expect(row?.totalRepairCost).toBe(value);
    };
    for (const value of [1.0987392948039692e278, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 63, 2 ** 31, 5e-324, 0]) {
      await comesOut(value);
    }
    const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    await fc.assert(fc.asyncProperty(double, comesOut), { numRuns: runs(40, 200) });
  });
});
