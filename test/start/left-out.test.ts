/** Each feature left out once: what it adds is gone, and the rest is as it was. */
import { GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { describeRest } from '../../rest/description/describe.js';
import { createRestEndpoints } from '../../rest/endpoints.js';
import { federation } from '../../src/features/federation/index.js';
import { describeDeprecated } from '../../src/features/usage/serve-usage.js';
import { features } from '../../src/features.js';
import { settings } from '../../src/gateway/config/config.js';
import type { Feature, ServedFeature } from '../../src/gateway/feature.js';
import { commandHelp } from '../commands/help.js';
import { records } from '../commands/records.js';
import { startGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { schemaOf, serve, without } from '../support/schema.js';

interface Brought {
  settings?: string[];
  commands?: string[];
  /** Fields of the schema: `Query.apiKeys`. */
  fields?: string[];
  /** Paths that are answered with 404 without it. */
  paths?: string[];
  /** Words of the description of REST. */
  described?: string[];
}

/** Something of each kind that a feature brings; one that is not here brings nothing that has a name. */
const brought: Record<string, Brought> = {
  search: { settings: ['SEARCH'], fields: ['Query.search', 'Query.assetRepairs(search)'] },
  keys: { commands: ['keys'], fields: ['Query.apiKeys', 'Mutation.createApiKey'] },
  people: { settings: ['ROLES'], commands: ['access'], fields: ['Query.explainAccess'] },
  webhooks: {
    settings: ['WEBHOOK_KEY', 'WEBHOOK_ALLOW'],
    commands: ['webhooks'],
    fields: ['Query.webhooks'],
    described: ['webhook-id'],
  },
  aggregates: { fields: ['Query.assetRepairAggregate'] },
  check: { commands: ['check'] },
  backup: { commands: ['backup', 'restore'] },
  transfer: { commands: ['export', 'import', 'seed'] },
  usage: {
    settings: ['DEPRECATIONS'],
    commands: ['usage'],
    fields: ['Query.apiUses'],
    described: ['endpoint_ended', 'successor'],
  },
  translation: { commands: ['translate'] },
  history: {
    paths: ['/api/changes', '/api/assets/asset-repair/asset-repair_1/history'],
    fields: ['Query.changes', 'AssetRepair.history', 'Query.assetRepair(asOf)'],
    described: [
      '/api/changes',
      '/api/assets/asset-repair/{id}/history',
      'AssetRepairHistory',
      'as_of',
      'AssetRepairAsOf',
    ].concat([
      'History',
      'RecordHistory',
      'HistoryChange',
      'HistoryLimit',
      'HistoryAfter',
      'AsOf',
      'history_incomplete',
    ]),
  },
  live: { paths: ['/api/events'], fields: ['Subscription.assetRepairChanged'], described: ['/api/events'] },
  federation: { settings: ['FEDERATION'], fields: ['Query._service'] },
  pages: { paths: ['/', '/records', '/schema'] },
  idempotency: { described: ['Idempotency-Key', 'IdempotencyKey', 'Idempotent-Replayed', 'idempotency_key_reused'] },
  metrics: { settings: ['METRICS_PORT'] },
};

const namesOf = (list: readonly Feature[]): string[] => list.map(({ name }) => name);

function fieldsOf(schema: GraphQLSchema): Set<string> {
  const objects = Object.values(schema.getTypeMap()).filter((type) => type instanceof GraphQLObjectType);
  return new Set(
    objects.flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => [
        `${type.name}.${field.name}`,
        ...field.args.map((argument) => `${type.name}.${field.name}(${argument.name})`),
      ]),
    ),
  );
}

const describedBy = (served: readonly ServedFeature[], schema: GraphQLSchema) =>
  describeRest(createRestEndpoints(resources, served), schema, 'test', served);

const federated = { FEDERATION: 'true' };
const whole = schemaOf(await serve(federated));

async function brings(list: readonly Feature[]) {
  const env: Record<string, string> = list.includes(federation) ? federated : {};
  const served = await serve(env, list);
  const leftOut = await serve(
    federated,
    features.filter((each) => !list.includes(each)),
  );
  // Half of the features add nothing to the schema, which takes the longest to make.
  const isWhole = leftOut.every((each) => !(each.schema ?? each.fields ?? each.arguments ?? each.guard));
  const schema = isWhole ? whole : schemaOf(served);
  return {
    gateway: { env, features: served, schema },
    settings: settings(list).map(({ name }) => name),
    commands: commandHelp(list).map(({ name }) => name),
    fields: [...fieldsOf(schema)],
    described: [...new Set(JSON.stringify(await describedBy(served, schema)).match(/[\w/{}-]+/g))],
  };
}

const all = await brings(features);

test('everything that stands here is there with all features', () => {
  for (const { settings = [], commands = [], fields = [], described = [] } of Object.values(brought)) {
    expect(all.settings).toEqual(expect.arrayContaining(settings));
    expect(all.commands).toEqual(expect.arrayContaining(commands));
    expect(all.fields).toEqual(expect.arrayContaining(fields));
    expect(all.described).toEqual(expect.arrayContaining(described));
  }
});

test.each(namesOf(features))(
  'without %s what it brings is gone, and the gateway reads and writes records',
  async (name) => {
    const list = without(name);
    const mine = namesOf(features).flatMap((each) => (namesOf(list).includes(each) ? [] : (brought[each] ?? [])));
    const left = await brings(list);
    for (const kind of ['settings', 'commands', 'fields', 'described'] as const) {
      const named = mine.flatMap((each) => each[kind] ?? []);
      const there = new Set<string>(left[kind]);
      const missing = all[kind].filter((each) => !there.has(each));
      expect(missing).toEqual(named.length === 0 ? [] : expect.arrayContaining(named));
    }
    const gateway = await startGateway(left.gateway);
    onTestFinished(() => gateway.close());
    const made = await gateway.rest('POST', '/api/crm/industry-type', { industry: 'Ships' });
    expect(made.status).toBe(201);
    const read = await gateway.graphql('query One($id: ID!) { industryType(id: $id) { industry } }', {
      id: made.body.id,
    });
    expect(read.body).toEqual({ data: { industryType: { industry: 'Ships' } } });
    // Not by the client of the tests, which knows the endpoints of all features.
    const headers = { authorization: `Bearer ${gateway.key}`, accept: 'text/html' };
    for (const path of mine.flatMap(({ paths = [] }) => paths))
      expect((await fetch(gateway.url + path, { headers })).status).toBe(404);
  },
);

test('the end of an endpoint is described without history too, of which a 410 tells otherwise', async () => {
  const served = await serve({}, without('history'));
  const description = await describedBy(served, schemaOf(served));
  const deprecation = { since: new Date(0), sunset: new Date(1), ended: new Set<string>() };
  describeDeprecated(description, new Map([['AssetRepairList', deprecation]]));
  expect(description.paths['/api/assets/asset-repair']?.get?.responses[410]).toEqual({
    $ref: '#/components/responses/Gone',
  });
  expect(description.components.responses).toHaveProperty('Gone.description', 'Gone: `endpoint_ended`.');
});

test('the setting of a feature that is left out is as unknown as any other', async () => {
  const given = (flag: string) => records(['config', flag], {}, undefined, '', without('federation'));
  const [left, unknown] = [await given('--federation=true'), await given('--nothing=true')];
  expect(left).toEqual({ ...unknown, problem: unknown.problem.replace('--nothing', '--federation') });
  expect(left.code).toBe(2);
  expect((await given('--journal=true')).code).toBe(0);
});

test.each([
  ['backup', 'check'],
  ['usage', 'keys'],
])('%s without %s, which it needs, is refused', async (name, needed) => {
  const list = features.filter((each) => each.name !== needed);
  expect(await records(['config'], {}, undefined, '', list)).toMatchObject({
    code: 1,
    problem: `error: The feature ${name} needs ${needed}, which is left out.\n`,
  });
});
