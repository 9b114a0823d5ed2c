/** The stored answer of a request with an Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';

const specific = 'application/graphql-response+json';

describe.each(databaseInTurn(import.meta.filename))('an answer that is kept, on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  const key = () => ({ 'idempotency-key': randomUUID() });
  const rows = () => gateway.database.client.idempotentRequest.count();
  const create = 'mutation ($input: CreateIndustryTypeInput!) { createIndustryType(input: $input) { record { id } } }';
  const input = { industry: 'Steel' };

  test('is undone as a whole where a part of it fails through a fault of ours, and tells of no record', async () => {
    const { client } = gateway.database;
    await client.$executeRawUnsafe('ALTER TABLE "CustomsTariffNumber" RENAME TO "Elsewhere"');
    const query = `mutation {
      a: createIndustryType(input: { industry: "Half" }) { record { id } }
      b: createCustomsTariffNumber(input: { tariffNumber: "8458" }) { record { id } }
    }`;
    const headers = key();
    const failed = await gateway.graphql(query, {}, headers);
    await client.$executeRawUnsafe('ALTER TABLE "Elsewhere" RENAME TO "CustomsTariffNumber"');
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({ errors: [expect.objectContaining({ path: ['b'] })] });
    const half = { where: { industry: 'Half' } };
    expect(await client.industryType.count(half)).toBe(0);
    const again = await gateway.graphql(query, {}, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await client.industryType.count(half)).toBe(1);
  });

  test('is sent again in the media type that is asked for then, with the cost where it is asked for', async () => {
    const headers = key();
    const first = await gateway.graphql(create, { input }, { ...headers, accept: specific });
    expect(first.headers.get('content-type')).toBe(`${specific}; charset=utf-8`);
    const asked = { ...headers, accept: 'application/json', 'x-graphql-cost': '1' };
    const second = await gateway.graphql(create, { input }, asked);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(second.body).toEqual({ ...first.body, extensions: { cost: { requested: 3, limit: 100_000 } } });
    expect((await gateway.graphql(create, { input }, headers)).text).toBe(first.text);
  });

  test('is that of the condition it was asked under', async () => {
    const made = await gateway.rest('POST', '/api/assets/asset-repair', { asset: 'A', failure_date: 'B' });
    const submit = (headers: Record<string, string>) =>
      gateway.rest('POST', `/api/assets/asset-repair/${made.body.id}/submit`, undefined, headers);
    const headers = key();
    expect((await submit({ ...headers, 'if-match': '"7"' })).status).toBe(412);
    expect((await submit({ ...headers, 'if-match': '"7"' })).status).toBe(412);
    const other = await submit({ ...headers, 'if-match': '"1"' });
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('is there for a day from its effect, not from the first try', async () => {
    const headers = key();
    await gateway.graphql(create, { input }, headers);
    const { client } = gateway.database;
    const newest = { orderBy: { createdAt: 'desc' }, take: 1 } as const;
    const [row] = await client.idempotentRequest.findMany(newest);
    const yesterday = new Date(Date.now() - 86_000_000);
    await client.idempotentRequest.update({
      where: { id: row?.id ?? '' },
      data: { answer: null, createdAt: yesterday },
    });
    await gateway.graphql(create, { input }, headers);
    const [later] = await client.idempotentRequest.findMany(newest);
    expect(later?.id).toBe(row?.id);
    expect(later?.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('is not kept for unknown paths, and for callers without permission', async () => {
    const before = await rows();
    await gateway.rest('POST', '/api/crm/nothing-here', { a: 1 }, key());
    await gateway.rest('POST', '/api/crm/industry-type/x', { a: 1 }, key());
    const made = await gateway.graphql(
      'mutation { made: createApiKey(input: { name: "reader", scopes: "crm:read" }) { secret } }',
    );
    const reader = { authorization: `Bearer ${made.body.data.made.secret}` };
    const refused = await gateway.rest('POST', '/api/crm/industry-type', { industry: 'x' }, { ...key(), ...reader });
    expect(refused.status).toBe(403);
    const asText = { ...key(), 'content-type': 'text/plain' };
    expect((await gateway.rest('POST', '/api/crm/industry-type', '{"industry":"x"}', asText)).status).toBe(415);
    expect(await rows()).toBe(before);
  });
});
