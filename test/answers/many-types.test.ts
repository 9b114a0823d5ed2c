/** Records of many types that are too large together: the gateway stops reading at the limit, and holds no more. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSearched, searchedFields } from '../../src/features/search/searched-fields.js';
import { federated } from '../features/federation/subgraph.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement, recordId } from '../support/many-records.js';
import { resources } from '../support/resources.js';

const types = resources.filter(isSearched).slice(0, 12);
const longText = (model: (typeof types)[number]) => searchedFields(model)[0] ?? 'id';

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, env: { ANSWER_LIMIT: '1' }, schema: federated });
    for (const type of types) {
      const { client } = gateway.database;
      await client.$executeRawUnsafe(fillStatement(database, type, 1));
      await client.$executeRawUnsafe(`UPDATE "${type.model}" SET "${longText(type)}" = '${'x'.repeat(700_000)}'`);
    }
  });
  afterAll(() => gateway.close());

  const selected = types.map((type) => `... on ${type.model} { text${type.model}: ${longText(type)} }`).join(' ');
  const asked = types.map((type) => ({ __typename: type.model, id: recordId(type, 1) }));
  const ids = asked.map(({ id }) => id);

  test.each([
    ['nodes', `query ($ids: [ID!]!) { nodes(ids: $ids) { ${selected} } }`, { ids }],
    ['_entities', `query ($of: [_Any!]!) { _entities(representations: $of) { ${selected} } }`, { of: asked }],
  ])('%s', async (name, query, variables) => {
    const one = Object.fromEntries(Object.entries(variables).map(([key, list]) => [key, list.slice(0, 1)]));
    const alone = await gateway.graphql(query, one);
    expect(alone.body.data[name], alone.text.slice(0, 200)).toHaveLength(1);
    const before = gateway.statements.length;
    const { body } = await gateway.graphql(query, variables);
    expect(body.errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', reason: 'answer_too_large' });
    const read = gateway.statements
      .slice(before)
      .filter((sql) => types.some(({ model }) => sql.includes(`"${model}"`)));
    // On PostgreSQL a few are asked at the same time.
    expect(read.length).toBe(database === 'sqlite' ? 2 : 4);
  });
});
