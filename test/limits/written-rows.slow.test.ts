/** The limit of rows that one request may write; and a long write does not block other requests. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BoundDatabase, Deadline } from '../../src/gateway/http/deadline.js';
import { mostCharactersWritten, mostLines, mostRowsWritten } from '../../src/model/limits.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const order = 'SubcontractingInwardOrder';
const createMany = `mutation ($inputs: [Create${order}Input!]!) { made: createMany${order}s(inputs: $inputs) { records { id } } }`;
const empty = (lines: number) => ({ items: Array.from({ length: lines }, () => ({})) });
const tooLong = { reason: 'query_too_complex', measure: 'characters', limit: mostCharactersWritten };
const tooMany = { reason: 'query_too_complex', measure: 'rows', limit: mostRowsWritten };

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
  });
  afterAll(() => gateway.close());

  const counts = async () => {
    const { last } = await gateway.journal.continuationOf(0);
    const { body } = await gateway.graphql(
      `{ ${lower(order)}s { totalCount } ${lower(order)}ItemAggregate { count } }`,
    );
    return [body.data, last];
  };

  test('new records with more lines are refused, and nothing of them is there', async () => {
    const before = await counts();
    const lines = Math.floor(mostRowsWritten / 4) - 1;
    const inputs = [lines, lines, lines, lines + 1].map(empty);
    const { body } = await gateway.graphql(createMany, { inputs });
    expect(body.errors[0].extensions).toMatchObject(tooMany);
    expect(await counts()).toEqual(before);
    expect((await gateway.graphql(createMany, { inputs: [empty(mostLines)] })).body.errors).toBeUndefined();
  });

  test('of many, each by itself, as many are done as there is room for, and the answer says where to go on', async () => {
    const ids: string[] = [];
    for (const inputs of [1, 2].map(() => [empty(mostLines), empty(mostLines)])) {
      const { body } = await gateway.graphql(createMany, { inputs });
      ids.push(...body.data.made.records.map(({ id }: { id: string }) => id));
    }
    const act = `mutation ($ids: [ID!], $after: ID) { done: actOnMany${order}s(ids: $ids, action: DELETE, after: $after) {
      matching moreAfter results { recordId done } } }`;
    const { done: first } = (await gateway.graphql(act, { ids })).body.data;
    const result = (recordId: string) => ({ recordId, done: true });
    // The first may have any number of lines.
    expect(first).toEqual({ matching: 4, moreAfter: ids[2], results: ids.slice(0, 3).map(result) });
    const { done: rest } = (await gateway.graphql(act, { ids, after: first.moreAfter })).body.data;
    expect(rest).toEqual({ matching: 1, moreAfter: null, results: ids.slice(3).map(result) });
  });

  test('a variable counts as often as it is named', async () => {
    const text = 'x'.repeat(900_000);
    const before = await counts();
    const lines = Array(9).fill('{ itemCode: $text }').join(' ');
    const one = `mutation ($text: String!) { create${order}(input: { items: [${lines}] }) { record { id } } }`;
    const { body } = await gateway.graphql(one, { text });
    expect(body.errors[0].extensions).toMatchObject(tooLong);
    expect(await counts()).toEqual(before);
    const create = (_: unknown, index: number) =>
      `a${index}: createIndustryType(input: { industry: $text }) { record { id } }`;
    const ten = await gateway.graphql(`mutation ($text: String!) { ${Array.from({ length: 10 }, create)} }`, { text });
    expect(ten.body.errors[0].extensions).toMatchObject(tooLong);
    expect(await counts()).toEqual(before);
  });

  test('fields of one request count together, also by how many lines they move or delete', async () => {
    const inputs = [empty(mostLines), empty(mostLines)];
    const made: { id: string }[] = (await gateway.graphql(createMany, { inputs })).body.data.made.records;
    const [id, other] = made.map((each) => each.id);
    const { body: read } = await gateway.graphql(`{ ${lower(order)}(id: "${id}") { version items { id } } }`);
    const { version, items } = read.data[lower(order)];
    const move = (alias: string, idx: number) =>
      `${alias}: update${order}Item(id: "${items.at(-1).id}", input: { idx: ${idx} }) { record { idx } }`;
    // The first two move 5,000 lines each, and the third has room; the fourth has none.
    const moves = `mutation { ${move('a', 1)} ${move('b', mostLines)} ${move('c', 1)} ${move('d', mostLines)} }`;
    const { body: moved } = await gateway.graphql(moves);
    expect(moved.errors).toHaveLength(1);
    expect(moved.errors[0]).toMatchObject({ path: ['d'], extensions: tooMany });
    expect([moved.data.a.record.idx, moved.data.b.record.idx, moved.data.c.record.idx]).toEqual([1, mostLines, 1]);
    const { body: after } = await gateway.graphql(
      `{ ${lower(order)}(id: "${id}") { version items(limit: 1) { id } } }`,
    );
    expect(after.data[lower(order)]).toEqual({ version: version + 3, items: [{ id: items.at(-1).id }] });

    const third = (await gateway.graphql(createMany, { inputs: [empty(mostLines)] })).body.data.made.records[0].id;
    const deleteMany = `mutation ($ids: [ID!]!) { deleteMany${order}s(ids: $ids) { deletedIds } }`;
    const { body: kept } = await gateway.graphql(deleteMany, { ids: [id, other, third] });
    expect(kept.errors[0].extensions).toMatchObject(tooMany);
    const { body: gone } = await gateway.graphql(deleteMany, { ids: [id, other] });
    expect(gone.errors).toBeUndefined();
    const singly = [third].map((one, index) => `a${index}: delete${order}(id: "${one}") { deletedId }`).join(' ');
    expect((await gateway.graphql(`mutation { ${singly} }`)).body.errors).toBeUndefined();
  });
});

describe('a long write on SQLite', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  /** Takes far longer than a write may hold the event loop. */
  const slow =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT count(*) FROM n';

  /** The turns of the event loop so far, at each call. */
  function countTurns(): () => number {
    let turns = 0;
    let isOver = false;
    const count = async () => {
      while (!isOver) {
        await turn();
        turns++;
      }
    };
    count();
    onTestFinished(() => {
      isOver = true;
    });
    return () => turns;
  }

  test('gives others a turn after each slow statement of a unit of work', async () => {
    const turns = countTurns();
    const seen = await gateway.database.perform(function* () {
      const counts: number[] = [];
      for (let index = 0; index < 4; index++) {
        yield { sql: slow, values: [] };
        counts.push(turns());
      }
      return counts;
    });
    expect(new Set(seen).size).toBe(4);
  });

  test('gives others a turn before the next statement of a transaction', async () => {
    const turns = countTurns();
    const seen = await gateway.database.transaction(async (tx) => {
      const counts: number[] = [];
      for (let index = 0; index < 4; index++) {
        await tx.$queryRawUnsafe(slow);
        counts.push(turns());
      }
      return counts;
    });
    expect(new Set(seen).size).toBe(4);
  });

  test('ends when its time is over, and leaves nothing behind', async () => {
    const deadline = new Deadline(undefined);
    let statements = 0;
    const write = new BoundDatabase(gateway.database, deadline).perform(function* () {
      yield { sql: 'CREATE TABLE "Late" ("id" TEXT)', values: [] };
      for (; statements < 100; statements++) yield { sql: slow, values: [] };
    });
    deadline.begin(10);
    await expect(write).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(statements).toBeLessThan(10);
    const read = () => gateway.database.client.$queryRawUnsafe(`SELECT * FROM "Late"`);
    await expect(read()).rejects.toThrow(/no such table/);
  });
});

const lower = (name: string) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
