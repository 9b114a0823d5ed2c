/** A record that takes too long to read does not block other events of its streams. */
import pg from 'pg';
import { type TestContext, test } from 'vitest';
import { freshDatabaseUrl } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { watch } from './watch.js';

const query = `subscription ($after: String) {
  changes(after: $after) { position notice recordId record { ... on IndustryType { industry } } }
}`;

async function startSlow({ onTestFinished }: TestContext) {
  const url = new URL(await freshDatabaseUrl('postgresql'));
  const holder = new pg.Client(url.href);
  await holder.connect();
  onTestFinished(() => holder.end());
  url.searchParams.set('statement_timeout', '300');
  const gateway = await startGateway({ env: { DATABASE_URL: url.href } });
  onTestFinished(() => gateway.close());
  const { last } = await gateway.journal.continuationOf(0);
  await gateway.rest('POST', '/api/crm/industry-type', { industry: 'slow' });
  const lock = () => holder.query('BEGIN; LOCK TABLE "IndustryType" IN ACCESS EXCLUSIVE MODE');
  const open = () => {
    const stream = watch(gateway, query, { after: last });
    onTestFinished(stream.stop);
    return stream;
  };
  return { gateway, lock, open };
}

test.concurrent('it is finally sent without its record, and later changes are sent', async (context) => {
  const { expect } = context;
  const { gateway, lock, open } = await startSlow(context);
  const { body } = await gateway.rest('POST', '/api/assets/asset-repair', {
    ...{ asset: 'quick', failure_date: '2026-11-20' },
  });
  await lock();
  const stream = open();
  expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
  const refusal: unknown = await stream.next().catch(String);
  expect(refusal).toMatch(/"code":"TIMEOUT"/);
  expect(await stream.next()).toMatchObject({ notice: null, recordId: body.id });
});

test.concurrent('the log says so also after the first of its subscribers has left', async (context) => {
  const { expect } = context;
  const { gateway, lock, open } = await startSlow(context);
  await lock();
  const [first, second] = [open(), open()];
  for (const stream of [first, second]) expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
  first.stop();
  await expect.poll(() => gateway.logLines.join('')).toContain('"aborted":true');
  const errors = () => gateway.logLines.filter((line) => line.includes('"level":"error"')).length;
  const before = errors();
  expect(await second.next().catch(String)).toMatch(/"code":"TIMEOUT"/);
  expect(errors()).toBeGreaterThan(before);
});
