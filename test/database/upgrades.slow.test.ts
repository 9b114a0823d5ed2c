/** The data of earlier versions is complete and correct after the upgrade. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { blockSize } from '../../prisma/record-blocks/blocks.js';
import { openDatabase } from '../../src/database/open-database.js';
import type { Resource } from '../../src/model/resource.js';
import { reckonedBlocks, tendBlocks } from '../support/blocks.js';
import { providers } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { fillStatement } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';
import { connect, olderDatabaseUrl, run } from './older-database.js';

test.each(providers)('on %s every parent that is not stored and has lines gets its row', async (provider) => {
  const url = await olderDatabaseUrl(provider, 'foreign_parents_with_lines');
  const time = (id: string, parentId: string, jobCardId: string | null = null) => `
    INSERT INTO "JobCardTimeLog" ("id", "idx", "parentId", "parentType", "jobCardId")
      VALUES ('${id}', 1, '${parentId}', 'Any', ${jobCardId ? `'${jobCardId}'` : 'NULL'});`;
  const payment = (id: string, parentId: string) => `
    INSERT INTO "SalesInvoicePayment" ("id", "idx", "parentId", "parentType", "modeOfPayment")
      VALUES ('${id}', 1, '${parentId}', 'Any', 'Cash');`;
  await run(
    url,
    provider,
    `INSERT INTO "JobCard" ("id", "createdAt", "updatedAt") VALUES ('job-card_1', '2026-01-31', '2026-01-31');
    INSERT INTO "ForeignParent" VALUES ('known', 7);
    ${time('time_1', 'of time')} ${time('time_2', 'of both')} ${time('time_3', 'known')}
    ${time('time_4', 'job-card_1', 'job-card_1')} ${time('time_5', 'job-card_gone')}
    ${payment('payment_1', 'of payment')} ${payment('payment_2', 'of both')} ${payment('payment_3', 'job-card_1')}`,
  );
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  const found = await database.client.foreignParent.findMany({ orderBy: { id: 'asc' } });
  expect(found.map(({ id, version }) => [id, version])).toEqual([
    ['job-card_1', 1],
    ['job-card_gone', 1],
    ['known', 7],
    ['of both', 1],
    ['of payment', 1],
    ['of time', 1],
  ]);
});

test.each(providers)(
  'on %s records from before have nobody who made them, and get who changes them',
  async (provider) => {
    const url = await olderDatabaseUrl(provider, 'expand_authors');
    const { model } = resourceOf('AssetRepair');
    await run(url, provider, fillStatement(provider, resourceOf(model), 10_000));
    // A table that is written anew gets another file.
    const place = async () =>
      provider === 'postgresql' &&
      (await (await connect(provider, url)).query(`SELECT pg_relation_filenode('"${model}"')`)).rows;
    const before = await place();
    const gateway = await startGateway({ database: provider, env: { DATABASE_URL: url } });
    onTestFinished(() => gateway.close());
    expect(await place()).toEqual(before);
    const query =
      '{ assetRepairs(first: 1, where: { createdBy: { isNull: true } }) { totalCount nodes { id createdBy updatedBy } } }';
    const { body } = await gateway.graphql(query);
    expect(body.data.assetRepairs).toMatchObject({ totalCount: 10_000, nodes: [{ createdBy: null, updatedBy: null }] });
    const [{ id }] = body.data.assetRepairs.nodes;
    const changed = await gateway.graphql(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "Mill" }) { record { createdBy updatedBy } } }',
      { id },
    );
    expect(changed.body.data.updateAssetRepair.record).toEqual({ createdBy: null, updatedBy: 'key:environment' });
  },
);

test('on PostgreSQL counts and blocks stay right during the migration that counts whole statements, also beside writers', async () => {
  const url = await olderDatabaseUrl('postgresql', 'counts_by_statement');
  const [repair, quotation] = [resourceOf('AssetRepair'), resourceOf('Quotation')];
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  for (const resource of [repair, quotation]) await client.query(fillStatement('postgresql', resource, 3 * blockSize));
  for (const { model } of [repair, quotation]) {
    for (const _ of 'abc') await client.query(`SELECT "gateway_block_tend"('${model}')`);
    const pending = `SELECT 1 FROM "RecordBlockChange" WHERE "model" = '${model}'`;
    // Now and then such a commit also adds the changes to the counts at once.
    do await client.query(`DELETE FROM "${model}" WHERE "id" IN (SELECT "id" FROM "${model}" ORDER BY "id" LIMIT 30)`);
    while ((await client.query(pending)).rows.length === 0);
  }
  const writers = await Promise.all([repair, quotation].map((resource) => writing(url, resource)));
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  const written = await Promise.all(writers.map((stop) => stop()));
  for (const { before, after } of written) expect(Math.min(before, after)).toBeGreaterThan(0);

  const { rows } = await client.query(
    'SELECT "tgname" FROM pg_trigger WHERE "tgname" ~ \'^gateway_count_.*_(row|statement)$\'',
  );
  expect(rows).toEqual([]);
  for (const resource of [repair, quotation]) {
    const { model } = resource;
    await client.query(`DELETE FROM "${model}" WHERE "id" IN (SELECT "id" FROM "${model}" ORDER BY "id" LIMIT 40)`);
    await client.query(`UPDATE "${model}" SET "id" = "id" || 'x' WHERE "id" = (SELECT max("id") FROM "${model}")`);
    for (const tended of [false, true]) {
      if (tended) await tendBlocks(database, resource);
      const blocks = await reckonedBlocks(database, resource);
      expect(blocks.length).toBeGreaterThan(2);
      for (const { reckoned, there } of blocks) expect(reckoned).toBe(there);
      const counted = await client.query(
        `SELECT (SELECT sum("count") FROM "RecordCount" WHERE "model" = '${model}') - (SELECT count(*) FROM "${model}") AS wrong`,
      );
      expect(Number(counted.rows[0].wrong)).toBe(0);
    }
  }
});

/**
 * Deletes the first records one after the other, each in a transaction, until it is stopped. Returns how many it
 * deleted before and after the triggers were replaced.
 */
async function writing(url: string, { model }: Resource): Promise<() => Promise<{ before: number; after: number }>> {
  const client = new pg.Client(url);
  await client.connect();
  const done = { before: 0, after: 0 };
  let isStopped = false;
  const isReplaced = `SELECT 1 FROM pg_trigger WHERE "tgname" = 'gateway_count_${model}_insert'`;
  const work = async () => {
    // A few more are deleted after the migration.
    for (let left = 5; left > 0; left -= isStopped ? 1 : 0) {
      await client.query(`DELETE FROM "${model}" WHERE "id" = (SELECT min("id") FROM "${model}")`);
      const { rows } = await client.query(isReplaced);
      done[rows.length > 0 ? 'after' : 'before']++;
    }
    await client.end();
  };
  const working = work();
  while (done.before === 0) await sleep(1);
  return async () => {
    isStopped = true;
    await working;
    return done;
  };
}
