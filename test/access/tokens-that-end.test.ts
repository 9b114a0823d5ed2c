/** Tokens that end, and roles that change, while something goes on. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { watch } from '../features/live/watch.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { issuersFile, TestIssuer, takingTokens } from '../support/issuer.js';
import { lockIndustryTypes } from '../support/locked-industry-types.js';
import { bearing, type GatewayWithPeople, startWithPeople } from './people.js';
import { rolesFile } from './roles.js';

const path = '/api/crm/industry-type';

describe.each(providers)('while work waits for a lock, on %s', (provider) => {
  let issuer: TestIssuer;
  let url: string;
  let gateway: GatewayWithPeople;
  beforeAll(async () => {
    issuer = await TestIssuer.start();
    url = await freshDatabaseUrl(provider);
    gateway = await startWithPeople({ env: { ...takingTokens(issuer), DATABASE_URL: url, REQUEST_TIMEOUT: '60' } });
    await gateway.rest('POST', path, { industry: 'first' });
  });
  afterAll(async () => {
    await gateway.close();
    await issuer.stop();
  });

  test('the end of a token ends the work, and nothing of it is done when its turn comes', async () => {
    const release = await lockIndustryTypes(url, provider);
    const expiresAt = Math.floor(Date.now() / 1000) + 3;
    const as = bearing(await issuer.sign({ claims: { exp: expiresAt } }));
    const once: Record<string, string>[] = [{}, { 'Idempotency-Key': 'once' }];
    const asked = once.map((headers) => gateway.rest('POST', path, { industry: 'late' }, { ...as, ...headers }));
    const answers = await Promise.all(asked);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt * 1000);
    await release();
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      answers.map(() => [401, 'token_expired']),
    );
    await sleep(300); // what was stopped has its turn now
    expect(await gateway.database.client.industryType.count()).toBe(1);
  });

  test('other roles in the file end the stream of a key with roles, without an error', async () => {
    const { secret } = await createKey(gateway.database, { name: 'a test', roles: ['clerk'] }, { names: ['clerk'] });
    const stream = watch({ url: gateway.url, key: secret }, 'subscription { industryTypeChanged { position notice } }');
    onTestFinished(() => stream.stop());
    expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
    const clerk = { scopes: ['crm:read'], types: { IndustryType: { read: true } } };
    writeFileSync(gateway.config.texts.roles ?? '', JSON.stringify({ clerk }));
    gateway.reload();
    expect(await stream.next()).toMatchObject({ notice: 'TOO_OLD' });
    expect(await stream.next()).toMatchObject({ notice: 'CLOSING' });
    await expect(stream.next()).rejects.toThrow('The stream has ended');
  });
});

test('a stored answer is not shown to somebody whose roles give other rights since then, and nothing is done again', async () => {
  const issuer = await TestIssuer.start();
  onTestFinished(() => issuer.stop());
  const gateway = await startWithPeople({ env: takingTokens(issuer) });
  onTestFinished(() => gateway.close());
  const send = async () =>
    gateway.rest('POST', path, { industry: 'once' }, { ...bearing(await issuer.sign()), 'Idempotency-Key': 'once' });
  const first = await send();
  expect((await send()).body).toEqual(first.body);
  const clerk = { scopes: ['crm:read', 'crm:write'], types: { IndustryType: { read: true, create: true } } };
  writeFileSync(gateway.config.texts.roles ?? '', JSON.stringify({ clerk }));
  gateway.reload();
  const { status, body } = await send();
  expect([status, body.error.code]).toEqual([409, 'idempotency_answer_sealed']);
  expect(body.error.message).toMatch(/your roles give you other rights/);
  expect(await gateway.database.client.industryType.count()).toBe(1);
});

test('people with other rights share no stream, though they ask for the same with the same scopes', async () => {
  const issuer = await TestIssuer.start();
  onTestFinished(() => issuer.stop());
  const reader = { scopes: ['assets:read'], types: { AssetRepair: { read: true } } };
  const roles = { open: reader, closed: { ...reader, hide: { AssetRepair: ['actionsPerformed'] } } };
  const entry = issuer.entry({ roles: { Open: 'open', Closed: 'closed' } });
  const settings = { ISSUERS: issuersFile([entry]), ISSUERS_ALLOW: '127.0.0.1', ROLES: rolesFile(roles) };
  const gateway = await startWithPeople({ env: settings });
  onTestFinished(() => gateway.close());
  const following = 'subscription { assetRepairChanged { position notice record { asset actionsPerformed } } }';
  const streams = await Promise.all(
    ['Open', 'Closed'].map(async (role) =>
      watch({ url: gateway.url, key: await issuer.sign({ sub: role, roles: [role] }) }, following),
    ),
  );
  for (const stream of streams) expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
  const input = { asset: 'LATHE', failure_date: '2026-11-20', actions_performed: 'oil' };
  expect((await gateway.rest('POST', '/api/assets/asset-repair', input)).status).toBe(201);
  const events = await Promise.all(streams.map((stream) => stream.next()));
  expect(events.map(({ record }) => record)).toEqual([
    { asset: 'LATHE', actionsPerformed: 'oil' },
    { asset: 'LATHE', actionsPerformed: null },
  ]);
  for (const stream of streams) stream.stop();
});
