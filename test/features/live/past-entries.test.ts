/** Streams that begin long ago read the journal while others have their turns. */
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { pastEntries, RecentEntries } from '../../../src/features/live/recent-entries.js';
import { repairInput } from '../../graphql/asset-repairs.js';
import { providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';

test.each(providers)('each read of what is past has a turn of the event loop of its own, on %s', async (database) => {
  const gateway = await startGateway({ database });
  onTestFinished(() => gateway.close());
  const many =
    'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
  await gateway.graphql(many, { inputs: Array.from({ length: 80 }, () => repairInput()) });
  const { oldest, last } = await gateway.journal.continuationOf(0);
  const recent = await RecentEntries.follow(gateway.journal, pino({ enabled: false }), () => undefined);
  onTestFinished(() => recent.close());
  let turns = 0;
  let reads = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const follow = async () => {
    for (let position = oldest; position < last; reads++)
      position = (await recent.fromJournal(position, { most: 4 })).end;
  };
  await Promise.all(Array.from({ length: 10 }, follow));
  isOver = true;
  expect(reads).toBeGreaterThan(100);
  expect(turns).toBeGreaterThanOrEqual(reads);
});

test.each(providers)('entries of other types are examined in the database, and not read, on %s', async (database) => {
  const gateway = await startGateway({ database });
  onTestFinished(() => gateway.close());
  const many =
    'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
  const industry = async (name: string) =>
    (await gateway.rest('POST', '/api/crm/industry-type', { industry: name })).body;
  const wanted: unknown[] = [];
  for (const round of ['one', 'two', 'three']) {
    await gateway.graphql(many, { inputs: Array.from({ length: 80 }, () => repairInput()) });
    wanted.push((await industry(round)).id);
  }
  await gateway.graphql(many, { inputs: Array.from({ length: 80 }, () => repairInput()) });
  const { oldest, last } = await gateway.journal.continuationOf(0);
  /** The ids of the entries that matter, and how many reads have found them. */
  const follow = async (models: readonly string[]) => {
    const found: string[] = [];
    let reads = 0;
    for (let position = oldest; position < last; reads++) {
      const past = await pastEntries(gateway.journal, position, { most: 4, models });
      expect(past).toMatchObject({ isTooOld: false });
      expect(past.end).toBeGreaterThan(position);
      found.push(...past.entries.filter(({ resource }) => models.includes(resource.model)).map(({ id }) => id));
      position = past.end;
    }
    return { found, reads };
  };
  const { found, reads } = await follow(['IndustryType']);
  expect(found).toEqual(wanted);
  expect(reads).toBeLessThan(12);
  expect((await follow(['AssetRepair'])).found).toHaveLength(4 * 80);
  // Entries before the beginning of the journal are reported as lost, not skipped.
  expect(await gateway.journal.skippable(oldest - 1, ['IndustryType'])).toBeUndefined();
});

test('a read that fails because the process stops, after the last stream has ended, is no warning', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.close());
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  let recent: RecentEntries | undefined;
  let reads = 0;
  const read = async () => {
    reads++;
    await new Promise(setImmediate);
    recent?.close();
    throw new Error('The database is closed');
  };
  recent = await RecentEntries.follow({ ...gateway.journal, read }, log, () => undefined);
  await gateway.rest('POST', '/api/crm/industry-type', { industry: 'mining' });
  await expect.poll(() => reads).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(lines).toEqual([]);
});
