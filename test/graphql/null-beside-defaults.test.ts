/**
 * Null in a variable that has a default, where the schema takes no null. GraphQL's validation lets such a document pass, and its
 * execution fails with a message that quotes the argument. The gateway refuses it before anything is done.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const create = 'createIndustryType(input: { industry: $a }) { record { id } }';
const secret = 'a-secret-that-no-log-may-hold';

const documents = {
  'a field of an input': `mutation ($a: String = "x") { ${create} }`,
  'a field beside userErrors': `mutation ($a: String = "x") { createIndustryType(input: { industry: $a }) { userErrors { code } } }`,
  'behind a field that could be done': `mutation ($a: String = "x") { first: createIndustryType(input: { industry: "y" }) { record { id } } ${create} }`,
  'an argument': 'query ($a: ID = "x") { assetRepair(id: $a) { id } }',
  'an argument with a default': 'query ($a: Int = 0) { quotationAggregate(offset: $a) { count } }',
  'a field of an input with a default':
    'query ($a: SortDirection = ASC) { quotations(orderBy: [{ field: ID, direction: $a }]) { totalCount } }',
  'an item of a list': 'query ($a: ID = "x") { nodes(ids: [$a]) { id } }',
  'a directive': 'query ($a: Boolean = true) { quotations { totalCount @include(if: $a) } }',
  'a directive on userErrors':
    'mutation ($a: Boolean = true) { deleteIndustryType(id: "x") { deletedId userErrors @include(if: $a) { code } } }',
  'an input with a secret': `mutation ($a: SaveCurrencyExchangeSettingsDetailsInput = {}) {
    saveCurrencyExchangeSettings(input: { accessKey: "${secret}", details: [$a] }) { record { id } }
  }`,
};

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  test.each(Object.entries(documents))('is refused in %s', async (_place, query) => {
    const { body } = await gateway.graphql(query, { a: null });
    expect(body.data).toBeUndefined();
    expect(body.errors).toHaveLength(1);
    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ param: 'a', code: 'parameter_invalid' }],
    });
    expect(body.errors?.[0]?.message).toBe('`a` cannot be null; leave it out, or send a value.');
    expect(await gateway.database.client.industryType.count()).toBe(0);
    expect(gateway.logLines.join('\n')).not.toContain(secret);
  });

  test('is taken where the schema takes null, and the default where it is left out', async () => {
    const query = 'query ($a: Int = 5) { quotations(first: $a) { totalCount } }';
    expect((await gateway.graphql(query, { a: null })).body).toEqual({ data: { quotations: { totalCount: 0 } } });
    const one = 'query ($a: ID = "x") { assetRepair(id: $a) { id } }';
    expect((await gateway.graphql(one, {})).body).toEqual({ data: { assetRepair: null } });
  });
});
