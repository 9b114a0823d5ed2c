/**
 * Every mutation that SQL answers has the same outcome whether it is compiled or resolved: the same answer, rows and journal.
 * Two databases with the same records, but for their ids and times, get the same random operations, made of the schema.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAnswerOf } from '../../src/graphql/answered-by-sql.js';
import type { Resource } from '../../src/model/resource.js';
import type { WriteOperation } from '../../src/model/selection.js';
import { providers, shareOf } from '../support/database.js';
import type { TestGateway } from '../support/gateway.js';
import { isChosen, runs } from '../support/thorough.js';
import { filled } from './filled.js';
import { chanceOf } from './random.js';
import { answeredFields, randomOperation } from './random-operation.js';
import { ofPrisma, withoutIds } from './random-record.js';
import { anId, startTwins, type Twins } from './twins.js';

/** Deletions come last, because they leave less for the others. */
const operations: readonly WriteOperation[] = [
  'create',
  'createMany',
  'update',
  'updateMany',
  'save',
  'reorder',
  'submit',
  'cancel',
  'delete',
  'deleteMany',
];

const fields = answeredFields('mutation').flatMap((field) => {
  const answer = sqlAnswerOf(field);
  return answer?.kind === 'write' ? [{ field, ...answer }] : [];
});

describe.each(providers)('on %s', (database) => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await startTwins(database);
    await Promise.all([filled(twins.ours), filled(twins.theirs)]);
    await twins.compareJournals();
  });
  afterAll(() => twins.close());

  test.each(operations)('%s', async (operation) => {
    const ofOperation = fields.filter((each) => each.operation === operation);
    expect(ofOperation).not.toEqual([]);
    // `npm test` asks half of the operations of each type, another half of those of the next one.
    const nth = operations.indexOf(operation);
    const chosen = shareOf(database, ofOperation).filter((_, index) => isChosen(index + nth, 2));
    expect(chosen).not.toEqual([]);
    for (const { field, resource } of chosen) {
      let done = 0;
      for (let attempt = 0; done < runs(1, 10) && attempt < runs(30, 100); attempt++) {
        if (await alike(field, resource, attempt)) done++;
      }
      expect(`${field.name} was made`, `${field.name} was never made`).toBe(done > 0 ? `${field.name} was made` : '');
    }
  });

  /** Whether it was compiled and did something. */
  async function alike(field: (typeof fields)[number]['field'], resource: Resource, attempt: number): Promise<boolean> {
    const about = [resource, ...resource.lines, ...resource.parents].map((each) =>
      'model' in each ? each : each.resource,
    );
    const [ourIds, theirIds] = await Promise.all([idsOf(twins.ours, about), idsOf(twins.theirs, about)]);
    const twinOf = new Map(
      [...ourIds].flatMap(([model, ids]) => ids.map((id, index) => [id, theirIds.get(model)?.[index] ?? id])),
    );
    const ids = new Map([...ourIds].map(([model, found]) => [model, found.length > 0 ? found : ['none']]));
    const seed = fields.findIndex((each) => each.field === field) * 1000 + attempt;
    const { query, variables, isLeftToResolvers } = randomOperation(chanceOf(seed), { ids, orders: new Map() }, field);
    const before = twins.ours.statements.length;
    const ours = await twins.ours.graphql(query, variables);
    const ran = ofPrisma(twins.ours.statements.slice(before));
    const theirs = await sentToTwin(query, variables);
    const answer = shown(ours.text);
    expect({ seed, query, variables, answer }).toEqual({ seed, query, variables, answer: shown(theirs.text) });
    // What the schema does not know would be refused by both, and compare nothing.
    expect({ query, answer }).toEqual({ query, answer: expect.not.stringContaining('GRAPHQL_VALIDATION_FAILED') });
    const [ourRows, theirRows] = await Promise.all([rowsOf(twins.ours, about), rowsOf(twins.theirs, about)]);
    expect({ query, variables, rows: ourRows }).toEqual({ query, variables, rows: theirRows });
    await twins.compareJournals();
    if (ours.body.errors || answer.includes('"code":') || isLeftToResolvers) return false;
    expect({ query, variables, ran }).toEqual({ query, variables, ran: [] });
    return true;

    function sentToTwin(text: string, given: object) {
      const translated: { text: string; given: Record<string, unknown> } = JSON.parse(
        JSON.stringify({ text, given }).replaceAll(anId, (id) => twinOf.get(id) ?? id),
      );
      return twins.theirs.graphql(translated.text, translated.given);
    }
  }
});

/** Without ids, also those in cursors, times and the number of the request. */
const shown = (text: string): string =>
  text
    .replaceAll(/(?<=")Wy[\w-]+(?=")/g, (cursor) => Buffer.from(cursor, 'base64url').toString())
    .replaceAll(anId, 'an id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/"requestId":"\w+"/g, '');

/** The ids of all records of the types, in the order in which they were made. */
async function idsOf({ database }: TestGateway, types: readonly Resource[]): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const { model } of types) {
    const rows = await database.client.$queryRawUnsafe<{ id: string }[]>(`SELECT "id" FROM "${model}" ORDER BY "id"`);
    ids.set(
      model,
      rows.map(({ id }) => id),
    );
  }
  return ids;
}

/** All rows of the types, without ids and times. */
async function rowsOf({ database }: TestGateway, types: readonly Resource[]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const { model } of types) {
    rows.push(...(await database.client.$queryRawUnsafe<object[]>(`SELECT * FROM "${model}" ORDER BY "id"`)));
  }
  return JSON.parse(shown(JSON.stringify(withoutIds(rows))));
}
