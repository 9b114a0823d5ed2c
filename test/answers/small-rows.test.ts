/**
 * The lines of small rows count only for these rows: a statement stops at the limit, before its answer is in memory.
 * Only SQLite subtracts something for lines: the marks of their numbers.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedDatabase } from '../../src/database/open-database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

describe('an answer of 1 MB at most on SQLite', () => {
  let gateway: TestGateway;
  /** Each repeats a read of lines. */
  const reads: (() => unknown)[] = [];
  const watched = (opened: OpenedDatabase): OpenedDatabase => ({
    ...opened,
    read:
      opened.read &&
      ((...asked) => {
        if (asked[0].includes('totalValue')) reads.push(() => opened.read?.(...asked));
        return opened.read?.(...asked) ?? [];
      }),
  });
  beforeAll(async () => {
    gateway = await startGateway({ database: 'sqlite', altered: watched, env: { ANSWER_LIMIT: '1' } });
  });
  afterAll(() => gateway.close());

  const repair = async (bytes: number, count: number) => {
    const serialNo = 'x'.repeat(30);
    const consumedItems = Array.from({ length: count }, () => ({
      itemCode: 'I',
      warehouse: 'W',
      serialNo,
      totalValue: 1,
    }));
    const input = { failureDate: '2026-01-01', asset: 'A', description: 'x'.repeat(bytes), consumedItems };
    const query = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    expect((await gateway.graphql(query, { input })).body.errors).toBeUndefined();
  };

  it('is stopped by the database also if most of it are small rows with lines', async () => {
    const numbers = Array.from({ length: 8 }, (_, index) => `a${index}: totalValue`).join(' ');
    const query = `query ($first: Int!) { assetRepairs(first: $first) {
      nodes { description consumedItems(limit: 20) { serialNo ${numbers} } } } }`;
    // The newest come first, so the small ones are counted before the large one.
    await repair(1000 * 1024, 1);
    for (let made = 0; made < 40; made++) await repair(0, 20);
    const fits = await gateway.graphql(query, { first: 40 });
    expect(fits.status).toBe(200);
    expect(fits.text.length).toBeGreaterThan(24 * 1024);
    const refused = await gateway.graphql(query, { first: 41 });
    expect(refused.body.errors[0].extensions).toMatchObject({ reason: 'answer_too_large' });
    // Not only by the length of the text, which is known at the end.
    await expect((async () => reads.at(-1)?.())()).rejects.toThrow('answer_too_large');
  });
});
