/** What is changed past Prisma is what the resolvers would have changed: the same answer, errors too, and the same columns stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Resource, resourceOf, resources } from '../../src/model/resource.js';
import { actions, statuses } from '../../src/records/lifecycle.js';
import { providers } from '../support/database.js';
import type { TestGateway } from '../support/gateway.js';
import { changeOf, inputOf, ofPrisma, selection, stored, withoutIds } from './random-record.js';
import { startTwins, type Twins, twinRecords } from './twins.js';

const changeable = resources.filter(({ kind }) => kind !== 'child').map((each) => [each.model, each] as const);
const documents = changeable.filter(([, { documentLike }]) => documentLike);
const seed = Number(process.env.PROPERTY_SEED ?? 7);

describe.each(providers)('on %s', (database) => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await startTwins(database);
  });
  afterAll(() => twins.close());

  describe('updates of', () => {
    test.each(changeable)('%s', async (_, resource) => {
      const ids = await newTwins(resource);
      const inputs = fc.sample(changeOf(resource), { seed, numRuns: 6 });
      for (const input of [{}, ...inputs]) {
        const before = twins.ours.statements.length;
        const { data } = await compared(resource, updating(resource), ids, { input });
        // What the rules of a type refuse, the resolvers refuse.
        if (data.record) expect(ofPrisma(twins.ours.statements.slice(before))).toEqual([]);
      }
    });
  });

  describe('moves of', () => {
    test.each(documents)('%s', async (_, resource) => {
      for (const from of statuses) {
        for (const to of [...statuses, null]) {
          const ids = await newTwins(resource, from);
          await compared(resource, updating(resource), ids, { input: { status: to } });
        }
        for (const action of actions) {
          const ids = await newTwins(resource, from);
          const before = twins.ours.statements.length;
          const { data } = await compared(resource, moving(resource, action), ids);
          if (data.record) expect(ofPrisma(twins.ours.statements.slice(before))).toEqual([]);
        }
      }
    });
  });

  describe('expectedVersion of', () => {
    test.each(changeable)('%s', async (_, resource) => {
      const ids = await newTwins(resource);
      const { data } = await compared(resource, updating(resource), ids, { input: {} });
      const present = data.record.version;
      for (const expectedVersion of [present, null, present, present + 1, 0, -1, 2 ** 31 - 1, present + 2]) {
        await compared(resource, updating(resource), ids, { input: {}, expectedVersion });
        if (resource.documentLike) await compared(resource, moving(resource, 'cancel'), ids, { expectedVersion });
      }
    });
  });

  test.each(changeable)('an update of a %s that is not there, and wrong arguments', async (_, resource) => {
    for (const id of ['asset-repair_unknown', `${resource.slug}_unknown`, '', '\ud800', 7, null]) {
      await compared(resource, updating(resource), { ourId: id, theirId: id }, { input: {} });
    }
    const ids = await newTwins(resource);
    for (const input of [null, [], 'text', { unknown: 1 }, { status: 'lost' }, { id: 'other' }, { version: 7 }]) {
      await compared(resource, updating(resource), ids, { input });
    }
    const nulls = resource.fields.map(({ name }) => ({ [name]: null }));
    await compared(resource, updating(resource), ids, { input: Object.assign({}, ...nulls) });
    if (resource.kind === 'singleton')
      for (const input of nulls) await compared(resource, updating(resource), ids, { input });
    for (const expectedVersion of ['1', 1.5, 2 ** 31]) {
      await compared(resource, updating(resource), ids, { input: {}, expectedVersion });
    }
  });

  const repair = resourceOf('AssetRepair');
  const update = 'updateAssetRepair(id: $id, input: $input, expectedVersion: $expectedVersion)';
  const variables = '$id: ID!, $input: UpdateAssetRepairInput!, $expectedVersion: Int';
  const lines = 'lines: consumedItems { __typename place: idx assetRepair { asset version consumedItems { id } } }';

  test.each([
    [
      'aliases, lines and parents',
      `mutation (${variables}) { record: ${update} { was: version called: asset ${lines} } }`,
    ],
    ['fragments', `mutation (${variables}) { record: ${update} { ...F } } fragment F on AssetRepair { ... { asset } }`],
    ['a condition', `mutation (${variables}) { record: ${update} { asset @skip(if: true) version } }`],
    ['a slice of the lines', `mutation (${variables}) { record: ${update} { consumedItems(first: 1) { itemCode } } }`],
    ['two fields', `mutation (${variables}) { record: ${update} { asset } again: ${update} { version } }`],
    [
      'a default',
      'mutation ($id: ID!, $version: Int = 7) { record: submitAssetRepair(id: $id, expectedVersion: $version) { id } }',
    ],
    ['a literal', 'mutation ($id: ID!) { record: submitAssetRepair(id: $id, expectedVersion: 7) { id } }'],
    [
      'a part of the input',
      'mutation ($id: ID!, $a: String!) { record: updateAssetRepair(id: $id, input: { asset: $a }) { id } }',
    ],
    ['who may do what', `mutation (${variables}) { record: ${update} { status actions { action allowed } } }`],
  ])('an operation with %s', async (_, query) => {
    const ids = await newTwins(repair);
    await compared(repair, query, ids, { input: { asset: 'mill' }, a: 'saw' });
  });

  test('the time of a change is stored as Prisma stores it', async () => {
    const ids = await newTwins(repair);
    await sleep(2);
    await compared(repair, updating(repair), ids, { input: {} });
    const times = async ({ database: { client, provider } }: TestGateway, id: string) => {
      const columns = 'CAST("createdAt" AS TEXT) AS "born", CAST("updatedAt" AS TEXT) AS "changed"';
      const text = `SELECT ${columns} FROM "AssetRepair" WHERE "id" = ${provider === 'sqlite' ? '?' : '$1'}`;
      const [row] = await client.$queryRawUnsafe<{ born: string; changed: string }[]>(text, id);
      return row ?? { born: '', changed: '' };
    };
    const [ours, theirs] = [await times(twins.ours, ids.ourId), await times(twins.theirs, ids.theirId)];
    expect(ours.changed > ours.born).toBe(true);
    expect(ours.changed.replace(/\d+/g, '0')).toBe(theirs.changed.replace(/\d+/g, '0'));
  });

  /** Sends the operation about either twin to its gateway; the answers and what is stored are to be the same. */
  async function compared(resource: Resource, query: string, { ourId, theirId }: Ids, variables: object = {}) {
    const ours = await answerOf(twins.ours, query, { ...variables, id: ourId });
    const theirs = await answerOf(twins.theirs, query, { ...variables, id: theirId });
    expect(withoutIds(ours)).toEqual(withoutIds(theirs));
    expect(Object.keys(ours.data?.record ?? {})).toEqual(Object.keys(theirs.data?.record ?? {}));
    const [one, other] = [stored(twins.ours, resource, String(ourId)), stored(twins.theirs, resource, String(theirId))];
    expect(withoutIds(await one)).toEqual(withoutIds(await other));
    return ours;
  }

  /** Alike, with lines, and in the state. */
  async function newTwins(resource: Resource, status: (typeof statuses)[number] = 'draft') {
    const [input = {}] = fc.sample(inputOf(resource), { seed, numRuns: 1 });
    const ids = await twinRecords(twins, resource, input);
    if (status !== 'draft') await compared(resource, moving(resource, 'submit'), ids);
    if (status === 'cancelled') await compared(resource, moving(resource, 'cancel'), ids);
    return ids;
  }
});

interface Ids {
  ourId: unknown;
  theirId: unknown;
}

function updating(resource: Resource): string {
  const { model } = resource;
  return `mutation ($id: ID!, $input: Update${model}Input!, $expectedVersion: Int) {
    record: update${model}(id: $id, input: $input, expectedVersion: $expectedVersion) { id ${selection(resource)} }
  }`;
}

function moving(resource: Resource, action: (typeof actions)[number]): string {
  return `mutation ($id: ID!, $expectedVersion: Int) {
    record: ${action}${resource.model}(expectedVersion: $expectedVersion, id: $id) { id ${selection(resource)} }
  }`;
}

async function answerOf(gateway: TestGateway, query: string, variables: Record<string, unknown>) {
  return (await gateway.graphql(query, variables)).body;
}
