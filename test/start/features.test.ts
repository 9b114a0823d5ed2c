/** What features do with the calls of a gateway that they join, and around its work. */
import { expect, onTestFinished, test } from 'vitest';
import type { ServedFeature, Watch } from '../../src/gateway/feature.js';
import { joinStarted } from '../../src/gateway/start/start-features.js';
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

test.each(['performer', 'streams'] as const)(
  'two features that have `%s` are refused: one would be left out',
  async (part) => {
    const features = [...(await serve()), { join: () => ({ performer: undefined, streams: undefined, [part]: {} }) }];
    await expect(startGateway({ features })).rejects.toThrow(
      `Several features have \`${part}\`, which only one may have`,
    );
  },
);

/** Notes all that is done around a request. */
const watching = (name: string, noted: string[]): Watch => ({
  statements: (provider) => (sql) => {
    noted.push(`${name} ${provider} ${sql.slice(0, 6)}`);
    return { comment: '', end: () => void noted.push(`${name} ran`) };
  },
  meter: () => ({
    run(work) {
      noted.push(`${name} begins`);
      work();
    },
    end: ({ status }) => void noted.push(`${name} ends ${status}`),
  }),
  admission: (inner) => ({
    ...inner,
    fromRequest(...given) {
      noted.push(`${name} admits`);
      return inner.fromRequest(...given);
    },
  }),
  execute: (inner) => (operation, context) => {
    noted.push(`${name} executes`);
    return inner(operation, context);
  },
});

test('each of several features watches requests and statements, the first of them outermost around a request', async () => {
  const noted: string[] = [];
  const gateway = await startGateway({ watches: [watching('one', noted), watching('two', noted)] });
  onTestFinished(() => gateway.close());
  await gateway.graphql('{ industryTypes { totalCount } }');
  await expect.poll(() => noted.at(-1)).toBe('two ends 200');
  noted.length = 0;
  await gateway.graphql('{ industryTypes { totalCount } }');
  await expect.poll(() => noted.at(-1)).toBe('two ends 200');
  const steps = noted.filter((each) => /begins|admits|executes|sqlite SELECT|ran|ends/.test(each));
  expect(steps.slice(0, 2)).toEqual(['one begins', 'two begins']);
  expect(steps.filter((each) => /admits|executes/.test(each))).toEqual([
    'one admits',
    'two admits',
    'one executes',
    'two executes',
  ]);
  expect(steps).toEqual(expect.arrayContaining(['one sqlite SELECT', 'two sqlite SELECT', 'one ran', 'two ran']));
  expect(steps.slice(-2)).toEqual(['one ends 200', 'two ends 200']);
});

test('what features have begun is announced, reported and ended together', async () => {
  const done: string[] = [];
  const started = joinStarted([
    { announces: { One: 'http://one' }, stop: () => void done.push('one stops') },
    undefined,
    {
      announces: { Two: 'http://two' },
      reports: { two: async () => 'two' },
      stored: async () => [{ text: () => '{', facts: { id: 'two' }, mend: 'Mend it' }],
      async end(closed) {
        await closed;
        done.push('two ends');
      },
    },
  ]);
  expect(started.announces).toEqual({ One: 'http://one', Two: 'http://two' });
  expect(await started.reports.two?.()).toBe('two');
  expect((await started.stored()).map(({ facts }) => facts)).toEqual([{ id: 'two' }]);
  await started.stop();
  await started.end(Promise.resolve().then(() => void done.push('closed')));
  expect(done).toEqual(['one stops', 'closed', 'two ends']);
});
