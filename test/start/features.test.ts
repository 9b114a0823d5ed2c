/** What features do with the calls of a gateway that they join. */
import { expect, onTestFinished, test } from 'vitest';
import type { ServedFeature } from '../../src/gateway/feature.js';
import { errors } from '../../src/model/errors/errors.js';
import { startGateway } from '../support/gateway.js';
import { serve } from '../support/schema.js';

const path = '/api/crm/industry-type';

/** Hears all calls; refuses the endpoint that it is given. */
const listening = (name: string, heard: string[], refused?: string): ServedFeature => ({
  join: ({ endpoints }) => ({
    called(endpoint) {
      const known = endpoints.some((each) => each.name === endpoint);
      heard.push(`${name} ${endpoint} ${known}`);
      if (endpoint === refused) throw errors.forbidden(['test']);
    },
    admitted: (_, { definition }) => void heard.push(`${name} ${definition.operation}`),
    settle: async () => void heard.push(`${name} settled`),
  }),
});

test('each of several features hears the calls of REST and GraphQL, in their order, and may refuse one', async () => {
  const heard: string[] = [];
  const features = [...(await serve()), listening('one', heard), listening('two', heard, 'IndustryTypeCreate')];
  const gateway = await startGateway({ features });
  onTestFinished(() => gateway.close());
  const list = await gateway.rest('GET', path);
  const created = await gateway.rest('POST', path, { industry: 'Ships' });
  await gateway.graphql('{ industryTypes { totalCount } }');
  await gateway.graphql('{ nothing }');
  await gateway.settle();
  expect([list.status, created.status, created.body.error?.code]).toEqual([200, 403, 'forbidden']);
  const calls = ['IndustryTypeList true', 'IndustryTypeCreate true', 'query', 'settled'];
  expect(heard).toEqual(calls.flatMap((call) => [`one ${call}`, `two ${call}`]));
  const { body } = await gateway.graphql('{ apiUses { name calls } }');
  expect(body.data.apiUses).toEqual([
    { name: 'IndustryTypeCreate', calls: 1 },
    { name: 'IndustryTypeList', calls: 1 },
  ]);
});

test('without features nothing is counted, described, deprecated or stored, and all is answered', async () => {
  const gateway = await startGateway({ features: [] });
  onTestFinished(() => gateway.close());
  expect((await gateway.rest('GET', path)).status).toBe(200);
  const key = { 'idempotency-key': 'the-same' };
  const answers = [1, 2].map(() => gateway.rest('POST', path, { industry: 'Ships' }, key));
  const [first, second] = await Promise.all(answers);
  expect([first?.status, second?.status]).toEqual([201, 201]);
  expect(first?.body.id).not.toBe(second?.body.id);
  await gateway.settle();
  const { body } = await gateway.graphql('{ apiUses { name } apiDeprecations { calls } }');
  expect(body.data).toEqual({ apiUses: [], apiDeprecations: [] });
  expect((await gateway.rest('GET', '/openapi.json')).body.webhooks).toEqual({});
});
