/** A large operation gives other requests turns of the event loop. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement, recordId } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';
import { bytesOf, longestShare } from '../support/turns-during.js';

/** So many that it takes long even if V8 has compiled everything. */
const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}: asset`).join(' ');

const repair = resourceOf('AssetRepair');
const columns = [...repair.fields.map(({ name }) => name), 'allowedActions'].join(' ');

async function filledGateway(database: Provider, compiled: boolean): Promise<TestGateway> {
  const gateway = await startGateway({ database, compiled, env: { COST_LIMIT: '1000000' } });
  await gateway.database.client.$executeRawUnsafe(fillStatement(database, repair, 1000));
  return gateway;
}

describe.each(providers)('by the resolvers on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await filledGateway(database, false);
  });
  afterAll(() => gateway.close());

  test.each([
    ['a page of a thousand', `{ assetRepairs(first: 1000) { nodes { id ${fields(100)} } } }`],
    ['edges of a thousand', `{ assetRepairs(first: 1000) { edges { cursor node { id ${fields(100)} } } } }`],
    [
      'pages of twenty-five, forty times',
      `{ ${Array.from({ length: 40 }, (_, page) => `p${page}: assetRepairs(first: 25, offset: ${page * 25}) { nodes { ${columns} ${fields(10)} } }`).join(' ')} }`,
    ],
  ])('%s', async (_what, query) => {
    const { status, body } = await gateway.graphql(query);
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(await longestShare(() => bytesOf(gateway, query))).toBeLessThan(1 / 2);
  });
});

describe.each(providers)('by SQL on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await filledGateway(database, true);
  });
  afterAll(() => gateway.close());

  // So much of each that all takes several times as long as one piece of work may, which is 20 ms.
  test('a thousand ids, eighty times', async () => {
    const selected = '{ id __typename ... on AssetRepair { asset status company failureDate description createdAt } }';
    const fields = Array.from({ length: 80 }, (_, index) => `f${index}: nodes(ids: $ids) ${selected}`).join(' ');
    const query = `query ($ids: [ID!]!) { ${fields} }`;
    const ids = Array.from({ length: 1000 }, (_, index) => recordId(repair, index + 1));
    const { status, body } = await gateway.graphql(query, { ids });
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(await longestShare(() => bytesOf(gateway, query, { ids }))).toBeLessThan(1 / 3);
  });
});
