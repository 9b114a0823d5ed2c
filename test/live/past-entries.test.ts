/** Streams that begin long ago read the journal while others have their turns. */
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { RecentEntries } from '../../src/live/recent-entries.js';
import { repairInput } from '../graphql/asset-repairs.js';
import { providers } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

test.each(providers)('each read of what is past has a turn of the event loop of its own, on %s', async (database) => {
  const gateway = await startGateway({ database });
  onTestFinished(() => gateway.close());
  const many = 'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { id } }';
  await gateway.graphql(many, { inputs: Array.from({ length: 80 }, () => repairInput()) });
  const { oldest, last } = await gateway.journal.bounds();
  const recent = new RecentEntries(pino({ enabled: false }), () => undefined);
  onTestFinished(() => recent.close());
  await recent.open(gateway.journal);
  let turns = 0;
  let reads = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const follow = async () => {
    for (let position = oldest; position < last; reads++) position = (await recent.fromJournal(position, 4)).end;
  };
  await Promise.all(Array.from({ length: 10 }, follow));
  isOver = true;
  expect(reads).toBeGreaterThan(100);
  expect(turns).toBeGreaterThanOrEqual(reads);
});
