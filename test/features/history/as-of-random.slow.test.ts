/**
 * After each of many random changes a copy of each document is stored. At the end `asOf` must return each copy at its
 * time.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeActions } from '../../../src/model/change.js';
import type { Resource } from '../../../src/model/resource.js';
import { type Chance, chanceOf } from '../../compiled/random.js';
import { literal, randomFilter, randomOrder } from '../../compiled/random-list.js';
import { changeOf, inputOf, selection } from '../../compiled/random-record.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resourceOf, resources } from '../../support/resources.js';
import { isChosen, runs } from '../../support/thorough.js';

interface Copy {
  resource: Resource;
  id: string;
  at: number;
  graphql: unknown;
  rest: object | null;
}

interface Document {
  resource: Resource;
  id: string;
  /** The ids of its lines by list. */
  lines: Record<string, string[]>;
}

const steps = runs(24, 600);
const seed = Number(process.env.SEED ?? 20_261);

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  let chance: Chance;
  let documents: Document[];
  /** The document of the last step. */
  let touched: Document | undefined;
  beforeAll(async () => {
    gateway = await startGateway({ database });
    chance = chanceOf(seed);
    documents = [];
  });
  afterAll(() => gateway.close());

  const types = resources.filter(({ kind, lines }) => kind === 'resource' && lines.length > 0);
  // Compiling the operations of a type takes longer than the rest, so a few types are tested.
  const kinds = [resourceOf('AssetRepair'), resourceOf('JobCard'), ...types.filter((_, index) => isChosen(index, 4))];

  const sample = <Value>(values: fc.Arbitrary<Value>): Value => {
    const [value] = fc.sample(values, { numRuns: 1, seed: chance.upTo(1_000_000) });
    if (value === undefined) throw new Error('Nothing was made');
    return value;
  };

  /** A change that may be refused, as long as it is refused for its values or the state of the record. */
  const change = async (query: string, variables: object) => {
    const { body } = await gateway.graphql(query, { ...variables });
    const [error] = body.errors ?? [];
    const expected = ['BAD_USER_INPUT', 'INVALID_STATE', 'NOT_FOUND'];
    if (error && !expected.includes(error.extensions.code)) throw new Error(JSON.stringify(error));
    return body.data;
  };

  async function step(): Promise<void> {
    const document = documents.length > 0 ? chance.pick(documents) : undefined;
    if (!document || chance.chance(0.1)) return create();
    touched = document;
    const { resource, id, lines } = document;
    const { model } = resource;
    const list = chance.pick(resource.lines);
    const line = list.resource;
    const present = lines[list.field] ?? [];
    const lineId = present.length > 0 ? chance.pick(present) : undefined;
    switch (chance.upTo(12)) {
      case 0:
      case 1:
        return change(
          `mutation ($id: ID!, $input: Update${model}Input!) { update${model}(id: $id, input: $input) { record { id } } }`,
          { id, input: sample(changeOf(resource)) },
        );
      case 2: {
        const input = {
          ...sample(inputOf(line)),
          [line.scope ?? '']: id,
          ...(line.scope === 'parentId' ? { parentType: resource.title } : {}),
        };
        const idx = chance.chance(0.5) ? { idx: 1 + chance.upTo(present.length) } : {};
        return change(
          `mutation ($input: Create${line.model}Input!) { create${line.model}(input: $input) { record { id } } }`,
          {
            input: { ...input, idx: undefined, ...idx },
          },
        );
      }
      case 3:
        return change(
          `mutation ($id: ID!, $input: Update${line.model}Input!) { update${line.model}(id: $id, input: $input) { record { id } } }`,
          {
            id: lineId ?? 'none',
            input: {
              ...sample(changeOf(line)),
              ...ownScope(line),
              idx: chance.chance(0.5) ? 1 + chance.upTo(2) : undefined,
            },
          },
        );
      case 4:
        return change(`mutation ($id: ID!) { delete${line.model}(id: $id) { deletedId } }`, { id: lineId ?? 'none' });
      case 5:
        return change(
          `mutation ($id: ID!, $ids: [ID!]) { reorder${line.plural}(parentId: $id, ids: $ids) { records { id } } }`,
          {
            id,
            ids: sample(fc.shuffledSubarray(present, { minLength: present.length })),
          },
        );
      case 6:
      case 7: {
        const kept = sample(fc.shuffledSubarray(present));
        const saved = [
          ...kept.map((each) => ({ ...withoutPlace(sample(changeOf(line)), line), id: each })),
          ...(chance.chance(0.5) ? [withoutPlace(sample(inputOf(line)), line)] : []),
        ];
        return change(
          `mutation ($id: ID!, $input: Save${model}Input!) { save${model}(id: $id, input: $input) { record { id } } }`,
          {
            id,
            input: {
              ...sample(changeOf(resource)),
              [list.field]: sample(fc.shuffledSubarray(saved, { minLength: saved.length })),
            },
          },
        );
      }
      case 8:
      case 12:
        if (!resource.documentLike) return;
        await change(`mutation ($id: ID!) { submit${model}(id: $id) { record { id } } }`, { id });
        if (chance.chance(0.3)) return;
        await take(document);
        await nextMillisecond();
        return change(`mutation ($id: ID!) { cancel${model}(id: $id) { record { id } } }`, { id });
      case 9: {
        if (documents.length < 3 || chance.chance(0.5)) return;
        documents = documents.filter((each) => each !== document);
        await change(`mutation ($id: ID!) { delete${model}(id: $id) { deletedId } }`, { id });
        return take(document);
      }
      case 10: {
        const same = documents.filter((each) => each.resource === resource);
        const updates = same.map((each) => ({ id: each.id, input: sample(changeOf(resource)) }));
        const many = resource.plural;
        return change(
          `mutation ($updates: [UpdateMany${many}Item!]!) { updateMany${many}(updates: $updates) { records { id } } }`,
          { updates },
        );
      }
      default:
        return change(
          `mutation ($id: ID!, $input: Update${model}Input!) { a: update${model}(id: $id, input: $input) { record { id } } b: update${model}(id: $id, input: {}) { record { id } } }`,
          { id, input: sample(changeOf(resource)) },
        );
    }
  }

  const ownScope = ({ scope = '' }: Resource) => ({ [scope]: undefined, parentId: undefined, parentType: undefined });
  const withoutPlace = (input: object, line: Resource) => ({ ...input, ...ownScope(line), idx: undefined });

  async function create(resource = chance.pick(kinds)): Promise<void> {
    const input = sample(inputOf(resource));
    const data = await change(
      `mutation ($input: Create${resource.model}Input!) { made: create${resource.model}(input: $input) { record { id } } }`,
      { input },
    );
    if (!data?.made) return;
    touched = { resource, id: data.made.record.id, lines: {} };
    documents.push(touched);
  }

  /** Everything that GraphQL returns for a document. */
  const whole = (resource: Resource) => {
    const more = 'displayTitle';
    const lines = resource.lines.map(({ field, resource: line }) => {
      const parent = line.parents.find((each) => each.resource === resource)?.field;
      return `of${field}: ${field} { id recordId actions { action reason } parent: ${parent} { id recordId version updatedAt } }`;
    });
    return `id recordId createdAt updatedAt ${more} actions { action allowed reason } ${selection(resource)} ${lines.join(' ')} ${resource.lines.map(({ field }) => `${field} { id }`).join(' ')}`;
  };

  const copies: Copy[] = [];
  async function take(document: Document): Promise<void> {
    const { resource, id } = document;
    const { body } = await gateway.graphql(
      `query ($id: ID!) { record: ${resource.one}(id: $id) { ${whole(resource)} } }`,
      { id },
    );
    expect(body.errors).toBeUndefined();
    const rest = await gateway.rest('GET', `${resource.base}/${id}`);
    for (const { field } of resource.lines)
      document.lines[field] = (body.data.record?.[field] ?? []).map((line: { id: string }) => line.id);
    copies.push({
      resource,
      id,
      at: Date.now(),
      graphql: body.data.record,
      rest: rest.status === 200 ? rest.body : null,
    });
  }

  const nextMillisecond = async () => {
    const now = Date.now();
    while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
  };

  const versionOf = (record: unknown): number => Object(record).version;
  /** What was copied as the present, with the ids that a state of the past has. */
  const asPast = (value: unknown, version = versionOf(value)): unknown => {
    if (Array.isArray(value)) return value.map((each) => asPast(each, version));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, each]) => [name, name === 'id' ? `${each}@${version}` : asPast(each, version)]),
    );
  };

  const asOf = async ({ resource, id, at }: Pick<Copy, 'resource' | 'id' | 'at'>, selected = whole(resource)) => {
    const { body } = await gateway.graphql(
      `query ($id: ID!, $asOf: DateTime) { record: ${resource.one}(id: $id, asOf: $asOf) { ${selected} } }`,
      { id, asOf: new Date(at).toISOString() },
    );
    expect(body.errors, `${resource.model} ${id}`).toBeUndefined();
    return body.data.record;
  };

  test('asOf returns the document as it was copied at that time', async () => {
    for (let count = 0; count < steps; count++) {
      await (count < 12 ? create() : step());
      for (const document of documents) if (document === touched || chance.chance(0.1)) await take(document);
      await nextMillisecond();
    }
    // There may be no random cancel.
    await create(resourceOf('AssetRepair'));
    for (const action of ['submit', 'cancel', 'delete']) {
      if (touched) await take(touched);
      await nextMillisecond();
      await change(`mutation ($id: ID!) { ${action}AssetRepair(id: $id) { __typename } }`, {
        id: touched?.id,
      });
    }
    documents = documents.filter((each) => each !== touched);
    const { entries } = await gateway.journal.read(0, 10_000);
    // A few steps may not include every action.
    const actions = new Set(entries.map(({ action }) => action));
    if (steps >= 600) expect(actions).toEqual(new Set(changeActions));
    else expect(actions.size).toBeGreaterThan(3);
    expect(new Set(entries.map(({ document }) => document.id)).size).toBeGreaterThan(3);
    expect(entries.length).toBeGreaterThan(steps);
    for (const copy of copies) {
      expect(await asOf(copy), `${copy.resource.model} at ${copy.at}, seed ${seed}`).toEqual(asPast(copy.graphql));
      if (!chance.chance(0.4)) continue;
      const { status, body } = await gateway.rest(
        'GET',
        `${copy.resource.base}/${copy.id}?as_of=${new Date(copy.at).toISOString()}`,
      );
      expect(status).toBe(copy.rest ? 200 : 404);
      if (copy.rest) expect(body).toMatchObject(copy.rest);
    }
    for (const { resource, id, graphql } of copies) {
      const { createdAt, updatedAt } = Object(graphql);
      if (!createdAt) continue;
      expect(await asOf({ resource, id, at: Date.parse(updatedAt) })).toMatchObject({ updatedAt });
      expect(await asOf({ resource, id, at: Date.parse(createdAt) - 1 })).toBeNull();
    }
  }, 300_000);

  test('conditions, orders and slices of lines mean the same as of present lines', async () => {
    const known = new Map<string, readonly string[]>();
    let found = 0;
    for (let count = 0; count < steps * 2; count++) {
      const { resource, id } = chance.pick(documents);
      const { field, resource: line } = chance.pick(resource.lines);
      const given = [
        `where: ${literal(randomFilter(chance, line, known, 3, false))}`,
        `orderBy: ${literal(randomOrder(chance, line))}`,
      ];
      if (chance.chance(0.3)) given.push(`limit: ${1 + chance.upTo(2)}`, `offset: ${chance.upTo(2)}`);
      const selected = `version ${field}(${given.join(', ')}) { id recordId idx }`;
      const { body } = await gateway.graphql(`query ($id: ID!) { record: ${resource.one}(id: $id) { ${selected} } }`, {
        id,
      });
      if (body.errors) continue; // beyond the limits of filters
      found += body.data.record[field].length;
      const { record } = body.data;
      expect(await asOf({ resource, id, at: Date.now() }, selected), selected).toEqual(asPast(record));
    }
    expect(found).toBeGreaterThan(0);
  }, 300_000);
});
