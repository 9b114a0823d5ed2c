import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepSwept, sweep } from '../../../src/features/idempotency/run-idempotently.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { restOperations } from '../../support/rest-operations.js';

const base = '/api/assets/asset-repair';
const repair = { asset: 'LATHE-1', failure_date: '2026-01-31' };
const createRepair = `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }`;

describe.each(databaseInTurn(import.meta.filename))('a request with an Idempotency-Key, on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  const total = async () => (await gateway.rest('GET', base)).body.total;
  const key = () => ({ 'idempotency-key': randomUUID() });

  it('happens once and is answered alike every time', async () => {
    const before = await total();
    const headers = key();
    const first = await gateway.rest('POST', base, repair, headers);
    const second = await gateway.rest('POST', base, repair, headers);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.text).toBe(first.text);
    expect(await total()).toBe(before + 1);
  });

  it('happens once when it is sent ten times at the same moment', async () => {
    const before = await total();
    const headers = key();
    const answers = await Promise.all(Array.from({ length: 10 }, () => gateway.rest('POST', base, repair, headers)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(statuses).toContain(201);
    for (const { status, body } of answers) if (status === 409) expect(body.error.code).toBe('idempotency_key_in_use');
    expect(await total()).toBe(before + 1);
  });

  it('is refused with 422 when the body is another', async () => {
    const headers = key();
    await gateway.rest('POST', base, repair, headers);
    const { status, body } = await gateway.rest('POST', base, { ...repair, asset: 'LATHE-2' }, headers);
    expect([status, body.error.type, body.error.code]).toEqual([422, 'idempotency_error', 'idempotency_key_reused']);
  });

  it('is not used up by what is missing in variables, whether `userErrors` are selected or not', async () => {
    const selecting = createRepair.replace('{ record { id } }', '{ record { id } userErrors { message } }');
    for (const query of [createRepair, selecting]) {
      const headers = key();
      const ask = (input: object) => gateway.graphql(query, { input }, headers);
      const lacking = await ask({ asset: 'LATHE-1' });
      expect(lacking.text).toContain('failureDate');
      // The least value of the type, which takes the place of what is missing, is another request.
      const made = await ask({ asset: 'LATHE-1', failureDate: '' });
      expect(made.body.data.createAssetRepair.record.id).toMatch(/^asset-repair_/);
      const repeated = await ask({ asset: 'LATHE-1', failureDate: '' });
      expect([repeated.text, repeated.headers.get('idempotent-replayed')]).toEqual([made.text, 'true']);
      const again = await ask({ asset: 'LATHE-1' });
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([lacking.status, null]);
      expect(again.text).toContain('failureDate');
      expect((await ask({ asset: 'LATHE-2', failureDate: '' })).status).toBe(422);
    }
  });

  it('replays a refusal, which has no effect', async () => {
    const headers = key();
    const first = await gateway.rest('POST', base, { asset: 5 }, headers);
    const second = await gateway.rest('POST', base, { asset: 5 }, headers);
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('submits once and answers the second time as the first', async () => {
    const { id } = (await gateway.rest('POST', base, repair)).body;
    const headers = key();
    const first = await gateway.rest('POST', `${base}/${id}/submit`, undefined, headers);
    const second = await gateway.rest('POST', `${base}/${id}/submit`, undefined, headers);
    expect([first.status, second.status, second.body.status]).toEqual([200, 200, 'submitted']);
  });

  it('holds for GraphQL mutations and not for queries', async () => {
    const before = await total();
    const headers = key();
    const input = { asset: 'LATHE-1', failureDate: '2026-01-31' };
    const first = await gateway.graphql(createRepair, { input }, headers);
    const second = await gateway.graphql(createRepair, { input }, headers);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await total()).toBe(before + 1);

    const count = '{ assetRepairs { totalCount } }';
    await gateway.graphql(count, {}, headers);
    await gateway.rest('POST', base, repair);
    const again = await gateway.graphql(count, {}, headers);
    expect(again.body.data.assetRepairs.totalCount).toBe(before + 2);
  });

  it('keeps what succeeded of a mutation whose next field is refused', async () => {
    const before = await total();
    const two = `mutation ($input: CreateAssetRepairInput!) {
      kept: createAssetRepair(input: $input) { record { id } }
      refused: createAssetRepairConsumedItem(input: { assetRepairId: "none", itemCode: "I", warehouse: "W" }) { record { id } }
    }`;
    const input = { asset: 'LATHE-1', failureDate: '2026-01-31' };
    const { body } = await gateway.graphql(two, { input }, key());
    expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect(await total()).toBe(before + 1);
  });

  it('is answered alike however the header spells the scheme', async () => {
    for (const spelling of ['bearer', 'BEARER  ']) {
      const headers = key();
      const first = await gateway.rest('POST', base, repair, headers);
      const again = { ...headers, authorization: `${spelling} ${gateway.key}` };
      const second = await gateway.rest('POST', base, repair, again);
      expect([second.status, second.text]).toEqual([201, first.text]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('is refused with what to do where the secret of its API key has been replaced, and happens no second time', async () => {
    const headers = key();
    const input = { asset: 'LATHE-1', failureDate: '2026-01-31' };
    const ofGraphql = key();
    await gateway.rest('POST', base, repair, headers);
    await gateway.graphql(createRepair, { input }, ofGraphql);
    const before = await total();
    const env = { DATABASE_URL: gateway.config.databaseUrl, API_KEY: 'another-value-of-the-same-key' };
    const next = await startGateway({ env });
    try {
      const byRest = await next.rest('POST', base, repair, headers);
      const byGraphql = await next.graphql(createRepair, { input }, ofGraphql);
      expect([byRest.status, byRest.body.error.code]).toEqual([409, 'idempotency_answer_sealed']);
      expect(byRest.body.error.message).toMatch(/send a new Idempotency-Key/);
      const { code, reason } = byGraphql.body.errors[0].extensions;
      expect([byGraphql.status, code, reason]).toEqual([409, 'IDEMPOTENCY_CONFLICT', 'idempotency_answer_sealed']);
      expect((await next.rest('GET', base)).body.total).toBe(before);
      const another = await next.rest('POST', base, { ...repair, asset: 'LATHE-2' }, headers);
      expect([another.status, another.body.error.code]).toEqual([422, 'idempotency_key_reused']);
      expect((await next.rest('POST', base, repair, key())).status).toBe(201);
    } finally {
      await next.close();
      // The next start with the old value makes that the key again.
      const former = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl, API_KEY: gateway.key } });
      await former.close();
    }
    expect((await gateway.rest('POST', base, repair, headers)).headers.get('idempotent-replayed')).toBe('true');
  });

  it('refuses a key out of form', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    const { status, body } = await gateway.rest('POST', base, repair, headers);
    expect([status, body.error.code]).toEqual([400, 'idempotency_key_invalid']);
  });

  // The same code repeats all of them; the tests above run on both databases.
  if (database === 'sqlite')
    it('is answered alike a second time by every endpoint that takes a POST', async () => {
      const posts = restOperations.filter(({ method }) => method === 'POST');
      expect(posts.length).toBeGreaterThan(70);
      const twice = async ({ path }: { path: string }) => {
        const headers = key();
        const first = await gateway.rest('POST', path, {}, headers);
        const second = await gateway.rest('POST', path, {}, headers);
        expect([path, second.status, second.text]).toEqual([path, first.status, first.text]);
        expect([path, second.headers.get('idempotent-replayed')]).toEqual([path, 'true']);
      };
      await Promise.all(posts.map(twice));
    });

  it('stores no answer in the clear, and forgets it after a day', async () => {
    const headers = key();
    await gateway.rest('POST', base, { ...repair, description: 'canary-in-an-answer' }, headers);
    const rows = await gateway.database.client.idempotentRequest.findMany();
    for (const { answer } of rows) expect(Buffer.from(answer ?? []).includes('canary')).toBe(false);
    expect(await sweep(gateway.database)).toBe(0);
    expect(await sweep(gateway.database, Date.now() + 25 * 60 * 60 * 1000)).toBe(rows.length);
  });

  it('is forgotten a few at a time among thousands, and others are served meanwhile', async () => {
    const { idempotentRequest } = gateway.database.client;
    const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    await idempotentRequest.deleteMany({});
    const data = Array.from({ length: 1010 }, (_, index) => ({ id: `${index}`, fingerprint: 'f', createdAt: longAgo }));
    await idempotentRequest.createMany({ data });
    const headers = key();
    await gateway.rest('POST', base, repair, headers);

    const before = gateway.statements.length;
    let isOver = false;
    const swept = sweep(gateway.database).finally(() => {
      isOver = true;
    });
    expect((await gateway.rest('POST', base, repair)).status).toBe(201);
    expect(isOver).toBe(false);
    expect(await swept).toBe(1010);
    const deletes = gateway.statements.slice(before).filter((sql) => sql.includes('DELETE FROM "IdempotentRequest"'));
    expect(deletes.length).toBe(Math.floor(1010 / 20) + 1);
    expect(await idempotentRequest.count()).toBe(1);
    expect((await gateway.rest('POST', base, repair, headers)).headers.get('idempotent-replayed')).toBe('true');
    await idempotentRequest.deleteMany({});
  });

  it('is forgotten by a gateway that runs, when its day is over', async () => {
    const { idempotentRequest } = gateway.database.client;
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000 - 1000);
    await idempotentRequest.create({ data: { id: 'old', fingerprint: 'f', createdAt: yesterday } });
    await gateway.rest('POST', base, repair, key());
    const stop = keepSwept(gateway.database, pino({ level: 'silent' }), { first: 1, every: 1000 });
    await expect.poll(() => idempotentRequest.count({ where: { id: 'old' } })).toBe(0);
    stop();
    expect(await idempotentRequest.count()).toBe(1);
  });
});
