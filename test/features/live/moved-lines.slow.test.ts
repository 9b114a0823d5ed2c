/** A line that an import takes from one document to another is told as gone from the first one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { linesOf } from '../transfer/odd-documents.js';
import { watch } from './watch.js';

const ids = { one: 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd', other: 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bc' };
const line = { id: 'asset-repair-consumed-item_01kahzqe0v3m7c2f9x5w8yt4be', itemCode: 'BOLT', warehouse: 'w' };
const repair = (id: string, consumedItems: Record<string, unknown>[]) => ({
  ...{ __typename: 'AssetRepair', id, asset: 'a', failureDate: '2026-01-31' },
  consumedItems,
});

test.each(providers)('on %s', async (database) => {
  const url = await freshDatabaseUrl(database);
  const gateway = await startGateway({ database, env: { DATABASE_URL: url } });
  onTestFinished(() => gateway.close());
  const file = join(freshFolder(), 'records.jsonl');
  const bring = (...documents: ReturnType<typeof repair>[]) => {
    writeFileSync(file, linesOf(documents));
    return records(['import', file, '-q', '--update'], { DATABASE_URL: url });
  };
  expect(await bring(repair(ids.one, [line]), repair(ids.other, []))).toMatchObject({ code: 0 });
  const documents = watch(gateway, 'subscription { assetRepairChanged { position notice recordId fields } }');
  const lines = watch(
    gateway,
    `subscription { assetRepairConsumedItemChanged(where: { assetRepairId: { eq: "${ids.one}" } }) {
      position notice action deletedId leftId } }`,
  );
  onTestFinished(() => {
    documents.stop();
    lines.stop();
  });
  await Promise.all([documents.next(), lines.next()]);

  // While it is a line of the first one, no other document may have it: not even in a transaction that takes it from there.
  const refused = await bring(repair(ids.one, []), repair(ids.other, [line]));
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.problem + refused.text).toContain(`is that of a line of another document, ${ids.one}`);

  expect(await bring(repair(ids.one, []))).toMatchObject({ code: 0 });
  expect(await bring(repair(ids.other, [line]))).toMatchObject({ code: 0 });
  const told = [await documents.next(), await documents.next()];
  expect(told).toMatchObject([
    { recordId: ids.one, fields: ['consumedItems'] },
    { recordId: ids.other, fields: ['consumedItems'] },
  ]);
  expect(await lines.next()).toMatchObject({ action: 'DELETE', deletedId: line.id });
});
