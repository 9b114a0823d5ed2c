/** The recipe of docs/live.md, by graphql-sse in a browser. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey, revokeKey } from '../../src/features/keys/api-keys.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type InBrowser, noBrowser, openInBrowser } from './in-browser.js';

const changes = 'subscription ($after: String) { changes(after: $after) { position notice recordId } }';

describe.skipIf(noBrowser)('a page that follows a stream', () => {
  let gateway: TestGateway;
  let browser: InBrowser<typeof import('./pages/follow.js')>;
  beforeAll(async () => {
    gateway = await startGateway();
    browser = await openInBrowser<typeof import('./pages/follow.js')>('test/clients/pages/follow.ts', gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function begin(query: string, { key = gateway.key, ...variables }: { key?: string; after?: string } = {}) {
    const stream = await browser.call('begin', key, query, variables);
    onTestFinished(() => browser.call('stop', stream));
    return {
      seen: () => browser.call('seen', stream),
      stop: () => browser.call('stop', stream),
      /** The events, once there are as many. */
      events: async (count: number) => {
        await expect.poll(async () => (await browser.call('seen', stream))?.events.length).toBe(count);
        return (await browser.call('seen', stream))?.events ?? [];
      },
      /** How it has ended. */
      end: async () => {
        await expect.poll(async () => (await browser.call('seen', stream))?.ended).not.toBe('');
        return browser.call('seen', stream);
      },
    };
  }

  test('continues behind the last event after the gateway has ended, and where the connection is lost', async () => {
    const broken = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl } });
    browser.passTo(broken.url);
    const stream = await begin(changes);
    expect(await stream.events(1)).toMatchObject([{ notice: 'OPENED' }]);
    const first = await createRepair(gateway);
    await stream.events(2);
    // An ended gateway first, then one that cannot be reached: the browser is told 'failed to fetch' some times.
    const missed = await createRepairWhile(() => broken.close());
    await expect.poll(async () => (await stream.seen())?.requests).toBeGreaterThan(2);
    browser.passTo(gateway.url);
    await expect.poll(async () => JSON.stringify((await stream.seen())?.events)).toContain(missed.id);
    const records = (await stream.seen())?.events.filter(({ notice }) => !notice).map(({ recordId }) => recordId);
    expect(records).toEqual([first.id, missed.id]);
    expect((await stream.seen())?.ended).toBe('');
  });

  async function createRepairWhile(work: () => Promise<void>) {
    await work();
    return createRepair(gateway);
  }

  test('ends if its key is refused, at first or while it follows, and does not ask again', async () => {
    const wrong = await begin(changes, { key: 'brg_wrong' });
    expect(await wrong.end()).toMatchObject({ ended: expect.stringContaining('401'), requests: 1, events: [] });
    const invalid = await begin('subscription { nope }');
    expect(await invalid.end()).toMatchObject({ ended: expect.stringContaining('nope'), requests: 1, events: [] });
    const { secret, apiKey } = await createKey(gateway.database, { name: 'follows', scopes: ['assets:read'] });
    const revoked = await begin(changes, { key: secret });
    await revoked.events(1);
    await revokeKey(gateway.database, apiKey.id);
    expect(await revoked.end()).toMatchObject({ ended: expect.stringContaining('revoked'), requests: 1 });
  });

  test('hands on an event whose record could not be read, once, and continues behind it', async () => {
    const small = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl, ANSWER_LIMIT: '1' } });
    onTestFinished(async () => {
      browser.passTo(gateway.url);
      await small.close();
    });
    browser.passTo(small.url);
    const query = `subscription ($after: String) {
      assetRepairChanged(after: $after) { position notice recordId record { one: asset two: asset } }
    }`;
    const stream = await begin(query);
    await stream.events(1);
    const large = await createRepair(small, repairInput({ asset: 'x'.repeat(900_000) }));
    const { id } = await createRepair(small);
    const [, unread, next] = await stream.events(3);
    expect(unread).toMatchObject({
      recordId: large.id,
      record: null,
      errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }],
    });
    expect(next).toMatchObject({ recordId: id, record: { one: expect.anything() } });
    const again = await begin(query, { after: unread?.position ?? '' });
    expect(await again.events(2)).toMatchObject([{ notice: 'OPENED' }, { recordId: id }]);
  });

  test('ends where it is stopped', async () => {
    const stream = await begin(changes);
    await stream.events(1);
    await stream.stop();
    expect(await stream.end()).toMatchObject({ ended: 'stopped', requests: 1 });
  });
});
