/**
 * The turns of the event loop between the records of a long page cost few statements: the data for 100 records is
 * loaded together, and that for the first record separately.
 */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createRepairs, repairInput } from './asset-repairs.js';
import { statementsOf } from './statements.js';

describe.each(providers)('by the resolvers on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, compiled: false, env: { COST_LIMIT: '200000' } });
    await createRepairs(gateway, 300, repairInput({ consumedItems: 3, purchaseInvoices: 1 }));
    return () => gateway.close();
  });

  test.each([
    [3, 3, 3, 'lines and their parents', 'consumedItems { assetRepair { asset } }'],
    [4, 4, 4, 'slices of slices', 'consumedItems(limit: 5) { assetRepair { purchaseInvoices(limit: 5) { idx } } }'],
    [4, 6, 8, 'two slices of one list', 'a: consumedItems(limit: 1) { idx } b: consumedItems(limit: 2) { idx }'],
    [
      6,
      9,
      12,
      'slices of the lines of parents of lines',
      'a: consumedItems(limit: 1) { assetRepair { asset } } b: consumedItems(limit: 2) { assetRepair { asset } }',
    ],
  ])(
    '%i statements for a page of at most 100, %i for one of 101, %i for one of 300: %s',
    async (short, long, longer, _what, selection) => {
      // On a busy machine there is a turn each time.
      const busy = setInterval(() => {
        const from = performance.now();
        while (performance.now() < from + 25);
      }, 0);
      onTestFinished(() => clearInterval(busy));
      const counts: number[] = [];
      for (const n of [1, 100, 101, 300]) {
        const query = `query ($n: Int) { assetRepairs(first: $n) { nodes { ${selection} } } }`;
        counts.push((await statementsOf(gateway, query, { n })).length);
      }
      expect(counts).toEqual([short, short, long, longer]);
    },
  );
});
