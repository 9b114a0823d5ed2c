/** A stream that resumes while events of other streams are being sent gets every change behind its position. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createRepairs } from '../../graphql/asset-repairs.js';
import { startGateway } from '../../support/gateway.js';
import { watch } from './watch.js';

const query = `subscription ($after: String) { assetRepairChanged(after: $after) {
  position record { ... on AssetRepair { asset consumedItems { itemCode } } } } }`;

test('resuming into a batch whose records are being read', async () => {
  const gateway = await startGateway({ database: 'postgresql' });
  const other = new pg.Client(gateway.config.databaseUrl);
  await other.connect();
  const first = watch(gateway, query);
  await first.next();
  const making = createRepairs(gateway, 150);
  const seen = [(await first.next()).position];
  // The next record cannot be read until the lock is given back.
  await other.query('BEGIN; LOCK TABLE "AssetRepairConsumedItem" IN ACCESS EXCLUSIVE MODE');
  await sleep(300);
  const late = watch(gateway, query, { after: seen[0] });
  await late.next();
  await sleep(300);
  await other.query('COMMIT');
  await making;
  const last = (await gateway.journal.continuationOf(0)).last;
  while (seen.at(-1) !== last) seen.push((await first.next()).position);
  const got: number[] = [];
  while (got.at(-1) !== last) got.push((await late.next()).position);
  expect(got).toEqual(seen.slice(1));
  first.stop();
  late.stop();
  await other.end();
  await gateway.close();
}, 30_000);
