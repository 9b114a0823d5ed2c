/** Many records are submitted, cancelled, changed or deleted, each by itself: what is refused does not keep the others. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errors } from '../../src/model/errors/errors.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement, recordId } from '../support/many-records.js';
import { resources } from '../support/resources.js';
import { waitingForLock } from '../support/waiting-for-lock.js';
import { acting, actOn, shortly } from './act-on-many.js';
import { ask } from './ask.js';
import { createRepairs, repairInput, upTo } from './asset-repairs.js';

const repairs = (gateway: Pick<TestGateway, 'graphql'>, count: number, asset: string) =>
  createRepairs(gateway, count, repairInput({ asset, consumedItems: 1 }));

const statesOf = async (gateway: Pick<TestGateway, 'graphql'>, ids: readonly string[]) => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on AssetRepair { status version asset } } }';
  const { nodes } = await ask(gateway, query, { ids });
  return nodes.map((node: { status: string; version: number } | null) => node && `${node.status} ${node.version}`);
};

onBothDatabases((gateway, _share, database) => {
  const submit = (id: string) =>
    ask(gateway(), 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });

  /** Makes many records with a text in `field`, another in those with some numbers; returns the id of each number. */
  async function fill(model: string, count: number, field: string, others: Record<string, readonly number[]>) {
    const resource = resources.find((each) => each.model === model);
    if (!resource) throw new Error(`There is no type ${model}`);
    const { client } = gateway().database;
    await client.$executeRawUnsafe(fillStatement(database, resource, count));
    const id = (number: number) => recordId(resource, number);
    for (const [text, numbers] of Object.entries(others)) {
      const ids = numbers.map((number) => `'${id(number)}'`);
      await client.$executeRawUnsafe(`UPDATE "${model}" SET "${field}" = '${text}' WHERE "id" IN (${ids})`);
    }
    return id;
  }

  test('by ids: each has its result, in the order of the ids, and those that can be are done', async () => {
    const ids = await repairs(gateway(), 3, 'by ids');
    await submit(String(ids[1]));
    const given = [ids[2], 'asset-repair_0unknown', ids[1], ids[0]];
    const answer = await actOn(gateway(), { ids: given, action: 'SUBMIT' });
    expect(shortly(ids, answer)).toEqual(['0 done 2', '1 INVALID_STATE ', '2 done 2', '-1 RESOURCE_MISSING ']);
    expect(answer).toMatchObject({ matching: 3, moreAfter: null, userErrors: [] });
    expect(answer.results[3]?.userErrors).toMatchObject([
      { path: [], message: 'No Asset Repair has the id "asset-repair_0unknown".' },
    ]);
    expect(answer.results[1]?.userErrors).toMatchObject([
      { path: [], currentState: 'SUBMITTED', allowedActions: ['CANCEL'], message: expect.stringMatching(/already/) },
    ]);
    expect(await statesOf(gateway(), ids)).toEqual(['SUBMITTED 2', 'SUBMITTED 2', 'SUBMITTED 2']);
  });

  test('by a filter: those it holds of, and no others', async () => {
    const [mine, others] = [await repairs(gateway(), 3, 'filtered'), await repairs(gateway(), 2, 'left out')];
    const where = { asset: { eq: 'filtered' }, consumedItems: { some: { itemCode: { eq: 'item 1' } } } };
    const answer = await actOn(gateway(), { where, action: 'UPDATE', input: { downtime: '1 Hour' } });
    expect(shortly(mine, answer)).toEqual(['0 done 2', '1 done 2', '2 done 2']);
    expect(answer).toMatchObject({ matching: 3, moreAfter: null });
    expect(await statesOf(gateway(), others)).toEqual(['DRAFT 1', 'DRAFT 1']);
    // Nothing differs: it is done, and no version was raised.
    const again = await actOn(gateway(), { where, action: 'UPDATE', input: { downtime: '1 Hour' } });
    expect(shortly(mine, again)).toEqual(['0 done 2', '1 done 2', '2 done 2']);
  });

  test('a hundred a call, and the rest behind the id that the answer names', async () => {
    const ids = (await repairs(gateway(), 105, 'hundred and five')).sort();
    const where = { asset: { eq: 'hundred and five' } };
    const first = await actOn(gateway(), { where, action: 'SUBMIT' });
    expect(first.results.map(({ recordId }) => recordId)).toEqual(ids.slice(0, 100));
    expect([first.matching, first.moreAfter]).toEqual([105, ids[99]]);
    const second = await actOn(gateway(), { where, action: 'SUBMIT', after: first.moreAfter });
    expect(shortly(ids, second)).toEqual(['100 done 2', '101 done 2', '102 done 2', '103 done 2', '104 done 2']);
    expect([second.matching, second.moreAfter]).toEqual([5, null]);
    const answer = await actOn(gateway(), { ids: ids.slice(0, 100), after: ids[97], action: 'CANCEL' });
    expect(shortly(ids, answer)).toEqual(['98 done 3', '99 done 3']);
    const { body } = await gateway().graphql(acting, { ids, action: 'CANCEL' });
    expect(body.errors?.[0].extensions.errors).toEqual([
      { param: 'ids', code: 'parameter_invalid', message: '`ids` must hold at most 100 items, not 105.' },
    ]);
  });

  test('goes on behind an id of the type, and behind no other text', async () => {
    for (const after of ['nonsense', '', 'quotation_01hzzzzzzzzzzzzzzzzzzzzzzz']) {
      for (const chosen of [{ where: {} }, { ids: ['asset-repair_0unknown'] }]) {
        const { text } = await gateway().graphql(acting, { ...chosen, after, action: 'CANCEL' });
        expect(text).toContain('`after` must be what `moreAfter` was.');
        expect(text).toContain('"results":null');
      }
    }
  });

  test('a filter finds what is far apart in a large table', async () => {
    const id = await fill('IndustryType', 4_100, 'industry', { 'far apart': [4, 2_501, 4_100] });
    const act = `mutation ($where: IndustryTypeFilter, $after: ID) {
      done: actOnManyIndustryTypes(where: $where, action: DELETE, after: $after) { matching moreAfter results { recordId done } } }`;
    const where = { industry: { in: ['far apart', 'nowhere'] } };
    const { done } = await ask(gateway(), act, { where, after: id(4) });
    const result = (number: number) => ({ recordId: id(number), done: true });
    expect(done).toEqual({ matching: 2, moreAfter: null, results: [result(2_501), result(4_100)] });
    const { done: others } = await ask(gateway(), act, { where: { industry: { eq: 'some text' } } });
    expect([others.matching, others.results.length, others.moreAfter]).toEqual([4_097, 100, id(101)]);
  });

  test('a filter looks through so many records a call, however large the table is, and goes on behind them', async () => {
    const id = await fill('CustomsTariffNumber', 10_050, 'tariffNumber', { sought: [6, 10_041] });
    const act = `mutation ($after: ID) {
      done: actOnManyCustomsTariffNumbers(where: { tariffNumber: { eq: "sought" } }, action: DELETE, after: $after) {
        matching moreAfter results { recordId } } }`;
    const { done } = await ask(gateway(), act, {});
    expect(done).toEqual({ matching: 1, moreAfter: id(10_000), results: [{ recordId: id(6) }] });
    const { done: rest } = await ask(gateway(), act, { after: done.moreAfter });
    expect(rest).toEqual({ matching: 1, moreAfter: null, results: [{ recordId: id(10_041) }] });
    // What is compared with more takes longer.
    const many = `mutation ($where: CustomsTariffNumberFilter) {
      done: actOnManyCustomsTariffNumbers(where: $where, action: DELETE) { matching moreAfter } }`;
    const where = { or: upTo(40).map((n) => ({ tariffNumber: { contains: `nowhere ${n}` } })) };
    const { done: few } = await ask(gateway(), many, { where });
    // One of the first is deleted by now.
    expect(few).toEqual({ matching: 0, moreAfter: id(2_001) });
    // Each keeps other writers waiting, so there are not many of them in one operation.
    const several = upTo(11).map(
      (n) => `a${n}: actOnManyCustomsTariffNumbers(where: {}, action: DELETE) { moreAfter }`,
    );
    const { body } = await gateway().graphql(`mutation { ${several.join(' ')} }`);
    expect(body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  test('deletes, with the lines', async () => {
    const ids = await repairs(gateway(), 2, 'deleted');
    const answer = await actOn(gateway(), { where: { asset: { eq: 'deleted' } }, action: 'DELETE' });
    expect(shortly(ids, answer)).toEqual(['0 done ', '1 done ']);
    expect(await statesOf(gateway(), ids)).toEqual([null, null]);
  });

  test('`validateOnly` says the same and changes nothing: no record, no version, no entry', async () => {
    const ids = await repairs(gateway(), 3, 'tried');
    await submit(String(ids[1]));
    const entries = () => gateway().database.client.journalEntry.count();
    const before = [await statesOf(gateway(), ids), await entries()];
    for (const [action, input] of [['SUBMIT'], ['UPDATE', { status: 'SUBMITTED', asset: 'x' }]] as const) {
      const where = { asset: { eq: 'tried' } };
      const tried = await actOn(gateway(), { where, action, input, try: true });
      const results =
        action === 'SUBMIT' ? ['0 done ', '1 INVALID_STATE ', '2 done '] : upTo(3).map((n) => `${n - 1} done `);
      expect(shortly(ids, tried)).toEqual(results);
    }
    expect(shortly(ids, await actOn(gateway(), { ids, action: 'DELETE', try: true }))).toEqual(
      upTo(3).map((n) => `${n - 1} done `),
    );
    expect([await statesOf(gateway(), ids), await entries()]).toEqual(before);
  });

  test('each change is an entry of the journal of its own, as if it had been made alone', async () => {
    const ids = await repairs(gateway(), 3, 'journaled');
    await submit(String(ids[0]));
    await actOn(gateway(), { ids, action: 'SUBMIT' });
    const query =
      'query ($id: ID!) { assetRepair(id: $id) { history { nodes { version action changes { path after } } } } }';
    for (const id of ids) {
      const { nodes } = (await ask(gateway(), query, { id })).assetRepair.history;
      expect(nodes[0]).toEqual({ version: 2, action: 'SUBMIT', changes: [{ path: ['status'], after: 'SUBMITTED' }] });
      expect(nodes).toHaveLength(2);
    }
  });

  test('a repetition with the same Idempotency-Key answers the same and does nothing', async () => {
    const ids = await repairs(gateway(), 3, 'repeated');
    await submit(String(ids[2]));
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => gateway().graphql(acting, { where: { asset: { eq: 'repeated' } }, action: 'SUBMIT' }, headers);
    const [first, second] = [await send(), await send()];
    expect(shortly(ids, first.body.data.done)).toEqual(['0 done 2', '1 done 2', '2 INVALID_STATE ']);
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await statesOf(gateway(), ids)).toEqual(['SUBMITTED 2', 'SUBMITTED 2', 'SUBMITTED 2']);
  });

  test('many writers at once: no record is done twice, and none is left', async () => {
    const ids = await repairs(gateway(), 60, 'raced');
    const where = { asset: { eq: 'raced' }, status: { eq: 'DRAFT' } };
    const alone = ids.slice(20, 30).map((id) => gateway().rest('POST', `/api/assets/asset-repair/${id}/submit`));
    const calls = [
      ...upTo(3).map(() => actOn(gateway(), { where, action: 'SUBMIT' })),
      actOn(gateway(), { ids: ids.toReversed(), action: 'SUBMIT' }),
    ];
    const done = (await Promise.all(calls)).flatMap(({ results }) => results.filter((result) => result.done));
    const singles = (await Promise.all(alone)).filter(({ status }) => status === 200).length;
    expect(new Set(done.map(({ recordId }) => recordId)).size).toBe(done.length);
    expect(done.length + singles).toBe(60);
    expect(new Set(await statesOf(gateway(), ids))).toEqual(new Set(['SUBMITTED 2']));
  });

  test.runIf(database === 'postgresql')('one that leaves the filter before its turn is none of them', async () => {
    const ids = await repairs(gateway(), 2, 'leaving');
    const { answer } = await gateway().database.transaction(async (tx) => {
      await tx.assetRepair.update({ where: { id: String(ids[0]) }, data: { asset: 'gone elsewhere' } });
      const call = { where: { asset: { eq: 'leaving' } }, action: 'UPDATE', input: { downtime: 'x' } };
      const answer = actOn(gateway(), call);
      await expect.poll(() => waitingForLock(gateway().config.databaseUrl)).toBe(1);
      return { answer: { value: answer } };
    });
    expect(shortly(ids, await answer.value)).toEqual(['1 done 2']);
  });

  test('a few statements a record, and a few more', async () => {
    await repairs(gateway(), 25, 'counted');
    const taken = async (count: number, action: string, isTried = false) => {
      const where = { asset: { eq: 'counted' } };
      const { nodes } = (await ask(gateway(), acting.replace(/^.*$/s, listing), { where, count })).assetRepairs;
      const ids = nodes.map(({ id }: { id: string }) => id);
      const before = gateway().statements.length;
      await actOn(gateway(), { ids, action, try: isTried });
      return gateway().statements.length - before;
    };
    const listing =
      'query ($where: AssetRepairFilter, $count: Int) { assetRepairs(where: $where, first: $count) { nodes { id } } }';
    for (const action of ['SUBMIT', 'DELETE']) {
      const [five, twentyFive] = [await taken(5, action, true), await taken(25, action, true)];
      const each = (twentyFive - five) / 20;
      expect(each, `${action}: ${five} for 5, ${twentyFive} for 25`).toBeLessThanOrEqual(5);
      expect(five - 5 * each).toBeLessThanOrEqual(10);
    }
  });

  test.each([
    ['neither ids nor a filter', { action: 'SUBMIT' }, 'ids', /is required, or `where` in its place/],
    ['both', { ids: [], where: {}, action: 'SUBMIT' }, 'where', /cannot stand beside `ids`/],
    ['an id twice', { ids: ['a', 'b', 'a'], action: 'SUBMIT' }, 'ids[2]', /the same record as number 1/],
    ['no input', { ids: [], action: 'UPDATE' }, 'input', /is required to UPDATE/],
    ['an input too much', { ids: [], action: 'DELETE', input: {} }, 'input', /is taken by UPDATE only/],
    [
      'a filter of too many values',
      { where: { asset: { in: upTo(1001).map(String) } }, action: 'SUBMIT' },
      'where.asset.in',
      /at most/,
    ],
  ])('is refused as a whole with %s', async (_, variables, param, message) => {
    const { body } = await gateway().graphql(
      acting.replace(/ userErrors \{ code path message \}\s+\}\s+\}$/, ' } }'),
      variables,
    );
    expect(body.errors?.[0].extensions.errors).toEqual([
      { param, code: expect.any(String), message: expect.stringMatching(message) },
    ]);
  });

  test('is refused as a whole in `userErrors`, and where the type has no such action', async () => {
    expect(await actOn(gateway(), { ids: [], action: 'UPDATE' })).toMatchObject({
      ...{ results: null, matching: null, moreAfter: null },
      userErrors: [{ code: 'PARAMETER_MISSING', path: ['input'] }],
    });
    const { body } = await gateway().graphql(
      'mutation { actOnManySerialNos(ids: ["x"], action: SUBMIT) { results { done } } }',
    );
    expect(body.errors?.[0].message).toBe('`action` must be UPDATE or DELETE.');
  });

  test('none at all is nothing', async () => {
    expect(await actOn(gateway(), { ids: [], action: 'DELETE' })).toMatchObject({
      results: [],
      matching: 0,
      moreAfter: null,
    });
    expect(await actOn(gateway(), { where: { asset: { eq: 'no such' } }, action: 'DELETE' })).toMatchObject({
      results: [],
      matching: 0,
    });
  });
});

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      database,
      env: { LOCK_SUBMITTED: 'true' },
      onChange: [
        function* (changes) {
          if (changes.some(({ after }) => after?.asset === 'refuse me'))
            throw errors.invalidAt(['input', 'asset'], 'is refused');
          if (changes.some(({ after }) => after?.asset === 'fail')) throw new Error('a fault');
        },
      ],
    });
  });
  afterAll(() => gateway.close());

  test('what a refused record had written is rolled back, and that of the others is not', async () => {
    const ids = await repairs(gateway, 3, 'kept');
    await ask(
      gateway,
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { downtime: "x" }) { record { id } } }',
      { id: ids[1] },
    );
    await gateway.database.client.assetRepair.updateMany({
      where: { id: String(ids[1]) },
      data: { asset: 'refuse me' },
    });
    for (const headers of [{}, { 'idempotency-key': randomUUID() }] as Record<string, string>[]) {
      const input = { downtime: `${Object.keys(headers).length} h` };
      const { body } = await gateway.graphql(acting, { ids, action: 'UPDATE', input }, headers);
      const version = Object.keys(headers).length + 2;
      expect(shortly(ids, body.data.done)).toEqual([`0 done ${version}`, '1 PARAMETER_INVALID ', `2 done ${version}`]);
    }
    expect(await statesOf(gateway, ids)).toEqual(['DRAFT 3', 'DRAFT 2', 'DRAFT 3']);
    const entries = await gateway.database.client.journalEntry.groupBy({
      by: ['recordId'],
      _count: true,
      where: { recordId: { in: ids } },
    });
    expect(Object.fromEntries(entries.map(({ recordId, _count }) => [ids.indexOf(recordId), _count]))).toEqual({
      0: 3,
      1: 2,
      2: 3,
    });
  });

  test('a fault ends all of it', async () => {
    const ids = await repairs(gateway, 3, 'whole');
    await gateway.database.client.assetRepair.updateMany({ where: { id: String(ids[2]) }, data: { asset: 'fail' } });
    const { body } = await gateway.graphql(acting, { ids, action: 'SUBMIT' });
    expect(body.errors?.[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
    expect(await statesOf(gateway, ids)).toEqual(['DRAFT 1', 'DRAFT 1', 'DRAFT 1']);
  });

  test('locked documents are refused, each by itself', async () => {
    const ids = await repairs(gateway, 2, 'locked');
    await actOn(gateway, { ids: ids.slice(0, 1), action: 'SUBMIT' });
    const changed = await actOn(gateway, { ids, action: 'UPDATE', input: { downtime: 'x' } });
    expect(shortly(ids, changed)).toEqual(['0 INVALID_STATE ', '1 done 2']);
    expect(shortly(ids, await actOn(gateway, { ids, action: 'DELETE' }))).toEqual(['0 INVALID_STATE ', '1 done ']);
  });
});
