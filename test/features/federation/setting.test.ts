/** The setting FEDERATION in a running gateway, also with TRUSTED_DOCUMENTS. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl, freshFolder } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { startProcess } from '../../support/process.js';
import { federated, subgraphSdl } from './subgraph.js';

const API_KEY = 'a-key-that-is-long-enough';
const service = '{ _service { sdl } }';
const entities = 'query Records__0($representations:[_Any!]!){_entities(representations:$representations){__typename}}';

test('FEDERATION=true makes the schema a subgraph', async () => {
  const gateway = startProcess({ API_KEY, FEDERATION: 'true', DATABASE_URL: await freshDatabaseUrl('sqlite') });
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const url = await gateway.ready();
  const body = JSON.stringify({ query: service });
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  expect(await answer.json()).toEqual({ data: { _service: { sdl: subgraphSdl } } });
  expect(await (await fetch(`${url}/schema.graphql`)).text()).toContain('  _entities(');
});

test('where documents are trusted, a router may send only what is listed', async () => {
  const file = join(freshFolder(), 'operations.json');
  writeFileSync(file, JSON.stringify({ records: entities }));
  const gateway = await startGateway({ schema: federated, env: { TRUSTED_DOCUMENTS: file } });
  onTestFinished(() => gateway.close());
  const representations = [{ __typename: 'SubscriptionSettings', id: 'subscription-settings_default' }];
  expect((await gateway.graphql(entities, { representations })).body.data).toEqual({
    _entities: [{ __typename: 'SubscriptionSettings' }],
  });
  for (const query of [service, entities.replace('Records__0', 'Records__1')]) {
    const { status, body } = await gateway.graphql(query, { representations });
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
  }
});
