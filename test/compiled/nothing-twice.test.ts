/** It is known before any read whether the resolvers answer, so nothing is read twice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  const counts = () => gateway.statements.filter((sql) => /RecordCount|count\(/i.test(sql)).length;

  test.each([
    [
      'a cursor of another list',
      '{ a: assetRepairs { totalCount } b: quotations { totalCount } c: assetRepairs(after: "x") { totalCount } }',
      {},
    ],
    [
      'a page that is too large',
      'query ($n: Int) { a: assetRepairs { totalCount } b: quotations { totalCount } c: assetRepairs(first: $n) { totalCount } }',
      { n: 5000 },
    ],
  ])('%s in one field: the others are read once', async (_case, query, variables) => {
    const before = counts();
    const { body } = await gateway.graphql(query, variables);
    expect([body.data.a, body.data.b, body.data.c]).toEqual([{ totalCount: 0 }, { totalCount: 0 }, null]);
    expect(counts() - before).toBe(2);
  });
});

test('after a busy error no second attempt is made', async () => {
  const gateway = await startGateway({ database: 'postgresql' });
  const url = new URL(gateway.config.databaseUrl);
  url.searchParams.set('lock_timeout', '300');
  const waiting = await startGateway({ env: { DATABASE_URL: url.href } });
  await gateway.database.transaction(async (tx) => {
    await tx.$executeRawUnsafe('LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
    const before = waiting.statements.length;
    const { status, body } = await waiting.graphql('{ assetRepairs { nodes { id } } industryTypes { totalCount } }');
    expect([status, body.data]).toEqual([200, { assetRepairs: null, industryTypes: { totalCount: 0 } }]);
    expect(body.errors).toMatchObject([
      { path: ['assetRepairs'], extensions: { code: 'UNAVAILABLE', reason: 'busy' } },
    ]);
    const asked = waiting.statements.slice(before).filter((sql) => sql.includes('"AssetRepair"'));
    expect(asked).toHaveLength(1);
    const rest = await waiting.rest('GET', '/api/assets/asset-repair');
    expect([rest.status, rest.body.error.code]).toEqual([503, 'busy']);
  });
  await waiting.close();
  await gateway.close();
});
