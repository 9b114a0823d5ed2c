/**
 * A record that cannot be read for its message is read again after growing pauses, and finally the message is sent
 * without it.
 */
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { pauseForFurther, pauseUnmade } from '../../../src/features/webhooks/delivery/delivery-queue.js';
import { messageOf, type ReadPayload, triesToRead } from '../../../src/features/webhooks/delivery/message.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { createWebhook, startDeliverer, until, webhookSettings } from './deliverer.js';
import { deliveryOf } from './deliveries.js';
import { startReceiver } from './receiver.js';

const tooLong = { code: 'TIMEOUT', message: 'It took too long' };

/** A gateway that delivers the descriptions of repairs, one of which cannot be read at first. */
async function begin() {
  const receiver = await startReceiver();
  const gateway = await startGateway({ env: webhookSettings });
  onTestFinished(() => gateway.close());
  await createWebhook(gateway, { url: receiver.url, types: ['INDUSTRY_TYPE'], selection: '{ industry }' });
  const write = async (industry: string): Promise<string> =>
    (await gateway.rest('POST', '/api/crm/industry-type', { industry })).body.id;
  const unreadable = await write('unreadable');
  const deliver = (read: (inner: ReadPayload) => ReadPayload) => {
    const deliverer = startDeliverer({ ...gateway, readPayload: read(gateway.readPayload) });
    onTestFinished(() => deliverer.stop());
  };
  const told = () => receiver.received.map(({ text }) => JSON.parse(text).data);
  return { write, unreadable, deliver, told };
}

test('it delays only its own document, and is sent when it can be read', async () => {
  const { write, unreadable, deliver, told } = await begin();
  const tries: number[] = [];
  deliver((read) => (query, id, identity) => {
    if (id !== unreadable || tries.push(performance.now()) > 3) return read(query, id, identity);
    return Promise.resolve({ error: tooLong });
  });
  await until('it is tried', () => tries.length > 0);
  const other = await write('readable');
  await until('both are told', () => told().length === 2);
  expect(told()).toMatchObject([
    { id: other, record: { industry: 'readable' } },
    { id: unreadable, record: { industry: 'unreadable' } },
  ]);
  const [first = 0, second = 0, third = 0, fourth = 0] = tries;
  // Timers may fire a little early.
  for (const [pause, least] of [
    [second - first, 990],
    [third - second, 1990],
    [fourth - third, 3990],
  ] as const) {
    expect(pause).toBeGreaterThan(least);
  }
});

test('after ten tries it is sent with the reason, but not while the database cannot be reached', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.close());
  await gateway.rest('POST', '/api/crm/industry-type', { industry: 'told' });
  const {
    entries: [entry],
  } = await gateway.journal.read(0, 1);
  const webhook = { id: 'wh_told', types: [], selection: '{ __typename }' };
  const delivery = deliveryOf('told', { position: entry?.position, entry });
  const tell = (error: typeof tooLong) =>
    messageOf(
      webhook,
      delivery,
      { keyId: 'k', name: 'k', scopes: ['*'] },
      { readPayload: () => Promise.resolve({ error }), database: gateway.database },
    );
  const away = { code: 'UNAVAILABLE', message: 'The database is away' };
  for (let tries = 0; tries < triesToRead; tries++) {
    // Unreachable for hours, and then once too slow: this counts as one try.
    for (const error of [away, away, tooLong])
      await expect(tell(error)).rejects.toThrow(`The payload: ${error.message}`);
  }
  await expect(tell(away)).rejects.toThrow(away.message);
  const message = await tell(tooLong);
  expect(JSON.parse(message?.body ?? '')).toMatchObject({ data: { id: entry?.id, record: null, error: tooLong } });
});

test.each(providers)('the reason is masked, whichever way the record is read, on %s', async (provider) => {
  const gateway = await startGateway({ database: provider });
  onTestFinished(() => gateway.close());
  const { body } = await gateway.rest('POST', '/api/crm/industry-type', { industry: 'told' });
  await gateway.database.client.$executeRawUnsafe('ALTER TABLE "IndustryType" RENAME TO "Elsewhere"');
  for (const selection of ['{ industry }', '{ industry @include(if: true) }']) {
    const query = `query ($id: ID!) { record: industryType(id: $id) ${selection} }`;
    const error = await refusalOf(gateway, query, body.id);
    expect(error?.code).toBe('INTERNAL_SERVER_ERROR');
    expect(error?.message).not.toMatch(/IndustryType|table|relation|SELECT/i);
  }
});

test.each([
  { setting: 'statement_timeout', code: 'TIMEOUT' },
  // The table may be unlocked at any time, so the change is not sent without the record.
  { setting: 'lock_timeout', code: 'UNAVAILABLE' },
])('a table that is locked on PostgreSQL: the reason follows from the $setting', async ({ setting, code }) => {
  const url = new URL(await freshDatabaseUrl('postgresql'));
  const holder = new pg.Client(url.href);
  await holder.connect();
  onTestFinished(() => holder.end());
  url.searchParams.set(setting, '300');
  const gateway = await startGateway({ env: { DATABASE_URL: url.href } });
  onTestFinished(() => gateway.close());
  const { body } = await gateway.rest('POST', '/api/crm/industry-type', { industry: 'told' });
  await holder.query('BEGIN; LOCK TABLE "IndustryType" IN ACCESS EXCLUSIVE MODE');
  for (const selection of ['{ industry }', '{ industry @include(if: true) }']) {
    const query = `query ($id: ID!) { record: industryType(id: $id) ${selection} }`;
    expect((await refusalOf(gateway, query, body.id))?.code).toBe(code);
  }
});

test('pauses grow up to a minute, and two minutes for further documents', () => {
  expect([1, 2, 6, 7, 1000].map(pauseUnmade)).toEqual([1000, 2000, 32_000, 60_000, 60_000]);
  expect([1, 3, 4, 1000].map(pauseForFurther)).toEqual([5000, 120_000, 120_000, 120_000]);
  expect(triesToRead).toBe(10);
});

/** The error with which the read of a record fails. */
async function refusalOf({ readPayload }: Pick<TestGateway, 'readPayload'>, query: string, id: string) {
  const payload = await readPayload(query, id, { keyId: 'k', name: 'k', scopes: ['*'] });
  return 'error' in payload ? payload.error : undefined;
}
