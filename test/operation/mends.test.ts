/** What 0.1 took is refused with what to write now, in words that the notes for who upgrades have too. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const [notes = ''] = /### For who upgrades.*?(?=\n### Added)/s.exec(readFileSync('docs/changelog.md', 'utf8')) ?? [];

test.each([
  ['{ node(id: "x") { ... on Record { version } } }', 'BusinessRecord'],
  ['{ node(id: "x") { ... on Document { version } } }', 'BusinessDocument'],
  ['query ($by: [AssetRepairOrder!]) { assetRepairs(orderBy: $by) { totalCount } }', 'AssetRepairSort'],
  ['mutation { createManyIndustryTypes(inputs: []) { id } }', 'records { … }'],
  ['mutation { reorderAssetRepairConsumedItems(parentId: "x", ids: []) { id } }', 'records { … }'],
  ['mutation { deleteManyIndustryTypes(ids: []) { id } }', 'deletedIds'],
  ['mutation { revokeApiKey(id: "x") { name } }', 'apiKey { … }'],
  ['mutation { deleteWebhook(id: "x") { name } }', 'webhook { … }'],
  ['mutation { testWebhook(id: "x") { id } }', 'message { … }'],
  ['{ webhooks { name } }', 'nodes { … }'],
  ['{ apiKeys(limit: 5) { totalCount } }', 'first'],
  ['{ changes(types: [AssetRepair]) { position } }', 'ASSET_REPAIR'],
  ['query ($after: Float) { changes(after: $after) { position } }', 'String'],
  ['{ quotationAggregate(having: { id: { count: { gt: 1 } } }) { count } }', 'count'],
])('%s', async (query, now) => {
  const { body } = await gateway.graphql(query);
  expect(body.errors[0].message).toMatch(/ now: | now\.$| now, such as /);
  expect(body.errors[0].message).toContain(`\`${now}\``);
  expect(notes).toContain(now);
});

test('what was never taken has no such words', async () => {
  for (const query of ['{ nope }', '{ changes(types: [NOPE]) { position } }', '{ assetRepairs { nodes { nope } } }']) {
    const { body } = await gateway.graphql(query);
    expect(body.errors[0].message).not.toMatch(/ now\b/);
  }
});
