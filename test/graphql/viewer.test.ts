/** What a key can find out about itself. */
import { expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { callerOf, callerWith } from '../access/keys.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { watch } from '../features/live/watch.js';
import { startGateway } from '../support/gateway.js';

const operations = ['READ', 'CREATE', 'UPDATE', 'SUBMIT', 'CANCEL', 'DELETE'] as const;
const mayOf = (type: string) =>
  `{ viewer { ${operations.map((each) => `${each}: may(type: ${type}, action: ${each})`).join(' ')} } }`;

onBothDatabases((gateway) => {
  test('it shows the name, scopes and expiry of the key', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { apiKey, secret } = await createKey(gateway().database, {
      name: 'front desk',
      scopes: ['assets:read', 'assets:submit'],
      expiresAt,
    });
    const { body } = await callerOf(gateway(), secret).graphql(
      '{ viewer { keyId name scopes expiresAt requestRate { limit } } }',
    );
    expect(body).toEqual({
      data: {
        viewer: {
          keyId: apiKey.id,
          name: 'front desk',
          scopes: ['assets:read', 'assets:submit'],
          expiresAt: expiresAt.toISOString(),
          requestRate: null,
        },
      },
    });
  });

  test('there are no streams to have left where no journal is kept', async () => {
    const gateway = await startGateway({ env: { JOURNAL: 'false' } });
    const { body } = await gateway.graphql('{ viewer { streams { limit remaining } } }');
    expect(body.data.viewer.streams).toEqual({ limit: 0, remaining: 0 });
    await gateway.close();
  });

  test('a key without an expiry has none', async () => {
    const caller = await callerWith(gateway(), 'admin');
    expect((await caller.graphql('{ viewer { expiresAt } }')).body).toEqual({ data: { viewer: { expiresAt: null } } });
  });

  test('a key is told its limits, and how many streams are left of its own, beside what SQL could answer', async () => {
    const caller = await callerWith(gateway(), 'assets:read');
    const query = '{ viewer { costLimit streams { limit remaining } } assetRepairs { totalCount } }';
    const told = async () => (await caller.graphql(query)).body;
    const { costLimit, streamsPerKey } = gateway().config;
    const all = (remaining: number) => ({
      data: {
        viewer: { costLimit, streams: { limit: streamsPerKey, remaining } },
        assetRepairs: { totalCount: 0 },
      },
    });
    expect(await told()).toEqual(all(streamsPerKey));
    const open = [1, 2].map(() =>
      watch({ url: gateway().url, key: caller.secret }, 'subscription { assetRepairChanged { notice position } }'),
    );
    for (const stream of open) expect((await stream.next()).notice).toBe('OPENED');
    expect(await told()).toEqual(all(streamsPerKey - 2));
    // The requests of one key do not affect another key.
    const other = await callerWith(gateway(), 'admin');
    expect((await other.graphql('{ viewer { streams { remaining } } }')).body.data.viewer.streams.remaining).toBe(
      streamsPerKey,
    );
    for (const stream of open) stream.stop();
    await expect.poll(told).toEqual(all(streamsPerKey));
  });

  test('what a key may do follows its scopes and what the type allows', async () => {
    const caller = await callerWith(gateway(), 'assets:read', 'assets:submit', 'accounts:write');
    const may = async (type: string) => {
      const { viewer } = (await caller.graphql(mayOf(type))).body.data;
      return operations.filter((each) => viewer[each]);
    };
    expect(await may('ASSET_REPAIR')).toEqual(['READ', 'SUBMIT']);
    expect(await may('ASSET_REPAIR_CONSUMED_ITEM')).toEqual(['READ']);
    expect(await may('SUBSCRIPTION_SETTINGS')).toEqual(['UPDATE']);
    expect(await may('TAX_WITHHOLDING_GROUP')).toEqual(['CREATE', 'UPDATE']);
    expect(await may('QUOTATION')).toEqual([]);
    const all = await callerWith(gateway(), '*');
    expect((await all.graphql(mayOf('ASSET_REPAIR'))).body.data.viewer).toEqual(
      Object.fromEntries(operations.map((each) => [each, true])),
    );
  });
});

test('it shows how many requests are left, as the headers do', async () => {
  const gateway = await startGateway({ env: { RATE_LIMIT: '100' } });
  const query = '{ viewer { requestRate { limit remaining resetSeconds } } }';
  for (let sent = 0; sent < 3; sent++) {
    const { body, headers } = await gateway.graphql(query);
    const told = (name: string) => Number(headers.get(`ratelimit-${name}`));
    expect(body.data.viewer.requestRate).toEqual({
      limit: 100,
      remaining: told('remaining'),
      resetSeconds: told('reset'),
    });
    expect(told('remaining')).toBeLessThan(100);
  }
  await gateway.close();
});
