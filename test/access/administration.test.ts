/** Keys made, listed, rotated and revoked by GraphQL. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from '../graphql/ask.js';
import { callerOf, callerWith, endsWithinASecond, errorsOf } from './keys.js';

const create = `mutation ($input: CreateApiKeyInput!) {
  made: createApiKey(input: $input) { secret apiKey { id name scopes state createdAt expiresAt revokedAt lastUsedAt } }
}`;
const rotate = `mutation ($id: ID!, $overlapSeconds: Int! = 86400, $expiresAt: DateTime) {
  made: rotateApiKey(id: $id, overlapSeconds: $overlapSeconds, expiresAt: $expiresAt) {
    secret apiKey { id name scopes expiresAt }
  }
}`;
const rotateOnly = 'mutation ($id: ID!) { made: rotateApiKey(id: $id) { apiKey { expiresAt } } }';
const revoke = 'mutation ($id: ID!) { revoked: revokeApiKey(id: $id) { apiKey { id state revokedAt } } }';
const list = '{ apiKeys(includeEnded: true, first: 1000) { nodes { id state expiresAt } } }';

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();

onDatabaseInTurn(import.meta.filename, (gateway) => {
  const make = async (scopes = ['stock:read'], more: object = {}) =>
    (await ask(gateway(), create, { input: { name: 'Nightly import', scopes, ...more } })).made;
  const opens = async (secret: string) => {
    const { status } = await callerOf(gateway(), secret).rest('GET', '/api/stock/serial-no');
    expect([200, 401]).toContain(status);
    return status === 200;
  };
  const listed = async (id: string) =>
    (await ask(gateway(), list)).apiKeys.nodes.find((key: { id: string }) => key.id === id);

  describe('a key that is made', () => {
    test('allows what its scopes say, and shows its secret once', async () => {
      const { secret, apiKey } = await make(['stock:read', 'crm:read', 'stock:read']);
      expect(apiKey).toEqual({
        id: secret.slice(0, 16),
        name: 'Nightly import',
        scopes: ['stock:read', 'crm:read'],
        state: 'ACTIVE',
        createdAt: expect.any(String),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      });
      expect(await opens(secret)).toBe(true);
      expect(errorsOf(await callerOf(gateway(), secret).graphql('{ assetRepairs { totalCount } }'))).toHaveLength(1);
      const everything = await gateway().graphql(
        '{ apiKeys(includeEnded: true, first: 1000) { nodes { id name scopes } } }',
      );
      expect(everything.text).toContain(apiKey.id);
      expect(everything.text).not.toContain(secret.slice(17));
    });

    test('leaves nothing but its hash in the database', async () => {
      const { secret, apiKey } = await make();
      const row = await gateway().database.client.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } });
      expect(row.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.stringify(row)).not.toContain(secret.slice(17));
    });

    test('may have an end', async () => {
      const expiresAt = new Date(Date.now() + 3000).toISOString();
      const { secret, apiKey } = await make(['stock:read'], { expiresAt });
      expect(apiKey.expiresAt).toBe(expiresAt);
      expect(await opens(secret)).toBe(true);
      await sleep(Date.parse(expiresAt) - Date.now() + 5);
      expect(await opens(secret)).toBe(false);
      expect((await listed(apiKey.id)).state).toBe('EXPIRED');
    });

    test('happens once where the request is repeated with its Idempotency-Key', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const input = { name: 'Made once', scopes: ['stock:read'] };
      const first = await gateway().graphql(create, { input }, headers);
      const second = await gateway().graphql(create, { input }, headers);
      expect(second.text).toBe(first.text);
      expect(await gateway().database.client.apiKey.count({ where: { name: 'Made once' } })).toBe(1);
      const { secret } = first.body.data.made;
      for (const { answer } of await gateway().database.client.idempotentRequest.findMany()) {
        expect(Buffer.from(answer ?? []).includes(secret.slice(17))).toBe(false);
      }
    });

    test.each([
      ['scopes that there are not', { scopes: ['stock:read', 'stok:write', 'accounts:submit'] }, 'input.scopes[1]'],
      ['no scope', { scopes: [] }, 'input.scopes'],
      ['no name', { name: ' ' }, 'input.name'],
      ['a name that would write over a terminal', { name: 'a\u001b[2Jb' }, 'input.name'],
      ['a name too long', { name: 'n'.repeat(101) }, 'input.name'],
      ['an end that is over', { expiresAt: inDays(-1) }, 'input.expiresAt'],
    ])('is refused with %s', async (_, more, param) => {
      const { extensions, message } = await refusal(gateway(), create, {
        input: { name: 'n', scopes: ['*'], ...more },
      });
      expect([extensions.code, extensions.errors[0].param]).toEqual(['BAD_USER_INPUT', param]);
      if (!param.includes('scopes')) return;
      expect(message).toMatch(/`\*`, `admin`, .*`crm:read\|write\|submit\|cancel\|delete`\.$/);
      expect(extensions.errors[0].knownScopes).toContain('crm:read');
    });

    test('is refused with what was probably meant, for each wrong scope', async () => {
      const input = { name: 'n', scopes: ['stok:write', 'x'.repeat(10_000), ...Array(100).fill('nonsense')] };
      const { extensions } = await refusal(gateway(), create, { input });
      // 50 that are named, and one that says how many more there are.
      expect(extensions.errors).toHaveLength(51);
      expect(extensions.errors[50]).toMatchObject({ more: 52 });
      expect(extensions.errors[0].message).toContain('(`stok:write`) is not a scope; did you mean `stock:write`?');
      expect(extensions.errors[1].message).toBe('`input.scopes[1]` is not a scope.');
    });
  });

  describe('the list', () => {
    test('is of those that open something, newest first, unless the others are asked for', async () => {
      const [older, newer, ended] = [await make(), await make(), await make()];
      await ask(gateway(), revoke, { id: ended.apiKey.id });
      const { apiKeys } = await ask(gateway(), '{ apiKeys(first: 2) { nodes { id } } }');
      expect(apiKeys.nodes).toEqual([{ id: newer.apiKey.id }, { id: older.apiKey.id }]);
      const { all } = await ask(
        gateway(),
        '{ all: apiKeys(includeEnded: true, first: 1, offset: 0) { nodes { id state } } }',
      );
      expect(all.nodes).toEqual([{ id: ended.apiKey.id, state: 'REVOKED' }]);
    });

    test('says when a key was last used', async () => {
      const { secret, apiKey } = await make();
      const before = Date.now();
      await opens(secret);
      await expect
        .poll(async () => (await gateway().database.client.apiKey.findUnique({ where: { id: apiKey.id } }))?.lastUsedAt)
        .toBeInstanceOf(Date);
      const { apiKeys } = await ask(gateway(), '{ apiKeys { nodes { id lastUsedAt } } }');
      const found = apiKeys.nodes.find(({ id }: { id: string }) => id === apiKey.id);
      expect(Math.abs(Date.parse(found.lastUsedAt) - before)).toBeLessThan(5000);
    });
  });

  describe('a key that is rotated', () => {
    test('works beside the new one for the chosen time, and not a second longer', async () => {
      const old = await make(['stock:read', 'crm:read']);
      const { made } = await ask(gateway(), rotate, { id: old.apiKey.id, overlapSeconds: 3 });
      const end = Date.parse((await listed(old.apiKey.id)).expiresAt);
      expect(made.apiKey).toMatchObject({
        name: 'Nightly import',
        scopes: ['stock:read', 'crm:read'],
        expiresAt: null,
      });
      expect(made.secret).not.toBe(old.secret);
      expect([await opens(old.secret), await opens(made.secret)]).toEqual([true, true]);
      await sleep(end - Date.now() + 5);
      expect([await opens(old.secret), await opens(made.secret)]).toEqual([false, true]);
    });

    test('no longer works within a second without an overlap', async () => {
      const old = await make();
      expect(await opens(old.secret)).toBe(true);
      const { made } = await ask(gateway(), rotate, { id: old.apiKey.id, overlapSeconds: 0 });
      await endsWithinASecond(gateway().url, old.secret);
      expect(await opens(made.secret)).toBe(true);
    });

    test('is valid for another day by default, and never longer than before', async () => {
      const lasting = await make();
      await ask(gateway(), rotateOnly, { id: lasting.apiKey.id });
      const end = Date.parse((await listed(lasting.apiKey.id)).expiresAt);
      expect(Math.abs(end - Date.parse(inDays(1)))).toBeLessThan(10_000);

      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      const short = await make(['stock:read'], { expiresAt });
      const { made } = await ask(gateway(), rotateOnly, { id: short.apiKey.id });
      expect((await listed(short.apiKey.id)).expiresAt).toBe(expiresAt);
      expect(made.apiKey.expiresAt).toBe(expiresAt);
    });

    test.each([
      ['another end', inDays(30)],
      ['no end', null],
    ])('gives its end to the new one, or %s', async (_, expiresAt) => {
      const { apiKey } = await make(['stock:read'], { expiresAt: inDays(1) });
      const { made } = await ask(gateway(), rotate, { id: apiKey.id, expiresAt });
      expect(made.apiKey.expiresAt).toBe(expiresAt);
    });

    test('is rotated by one of two at once that both ask for it, or by both in turn, and never left without an end', async () => {
      const { apiKey } = await make();
      const answers = await Promise.all([1, 2, 3].map(() => gateway().graphql(rotate, { id: apiKey.id })));
      const made = answers.filter(({ body }) => body.data.made);
      expect(made.length).toBeGreaterThan(0);
      expect((await listed(apiKey.id)).expiresAt).not.toBeNull();
    });

    test.each([
      ['revoked', async (id: string) => void (await ask(gateway(), revoke, { id }))],
      [
        'expired',
        async (id: string) => {
          const data = { expiresAt: new Date(Date.now() - 1000) };
          await gateway().database.client.apiKey.update({ where: { id }, data });
        },
      ],
    ])('cannot have been %s', async (_, end) => {
      const { apiKey } = await make();
      await end(apiKey.id);
      const { extensions } = await refusal(gateway(), rotate, { id: apiKey.id });
      expect(extensions.errors).toMatchObject([{ param: 'id', code: 'parameter_invalid' }]);
    });

    test('cannot be the one that the setting API_KEY names', async () => {
      const { message } = await refusal(gateway(), rotate, { id: 'environment' });
      expect(message).toContain('API_KEY');
    });

    test.each([-1, 90 * 24 * 60 * 60 + 1])('is not good for %s seconds more', async (overlapSeconds) => {
      const { apiKey } = await make();
      const { extensions } = await refusal(gateway(), rotate, { id: apiKey.id, overlapSeconds });
      expect(extensions.errors).toMatchObject([{ param: 'overlapSeconds' }]);
    });
  });

  describe('a key that is revoked', () => {
    test('no longer works within a second', async () => {
      const { secret, apiKey } = await make();
      expect(await opens(secret)).toBe(true);
      const { apiKey: revoked } = (await ask(gateway(), revoke, { id: apiKey.id })).revoked;
      expect(revoked).toEqual({ id: apiKey.id, state: 'REVOKED', revokedAt: expect.any(String) });
      await endsWithinASecond(gateway().url, secret);
    });

    test('stays as it was when it is revoked again, by its id or by its secret', async () => {
      const { secret, apiKey } = await make();
      const { apiKey: revoked } = (await ask(gateway(), revoke, { id: secret })).revoked;
      expect((await ask(gateway(), revoke, { id: apiKey.id })).revoked.apiKey).toEqual(revoked);
    });

    test('may be the one that revokes', async () => {
      const caller = await callerWith(gateway(), 'admin', 'stock:read');
      expect(errorsOf(await caller.graphql(revoke, { id: caller.id }))).toEqual([]);
      await endsWithinASecond(gateway().url, caller.secret);
    });

    test('must be there', async () => {
      const { extensions } = await refusal(gateway(), revoke, { id: 'brg_000000000000' });
      expect(extensions).toEqual({ code: 'NOT_FOUND', reason: 'resource_missing' });
      const { message } = await refusal(gateway(), revoke, { id: 'perhaps-a-secret-of-another-service' });
      expect(message).toBe('`id` must be the id of a key: `brg_` and twelve characters.');
    });
  });

  test('is logged with its ids only', async () => {
    const { secret, apiKey } = await make();
    await ask(gateway(), rotate, { id: secret });
    await ask(gateway(), revoke, { id: secret });
    const lines = gateway().logLines.filter((line) => line.includes(apiKey.id));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
      expect.arrayContaining(['An API key was made', 'An API key was rotated', 'An API key was revoked']),
    );
    expect(lines.every((line) => JSON.parse(line).by === 'environment')).toBe(true);
    expect(gateway().logLines.join('')).not.toContain(secret.slice(17));
  });
});
