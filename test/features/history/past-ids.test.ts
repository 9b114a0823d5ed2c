/** What `asOf` answers has ids of its own, by which `node` and `nodes` find it again, and which nothing else takes. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../../access/keys.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { federated } from '../federation/subgraph.js';

const record =
  '__typename id recordId version asset consumedItems { id recordId itemCode assetRepair { id recordId } }';

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, schema: federated });
  });
  afterAll(() => gateway.close());

  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { body, text } = await gateway.graphql(query, variables);
    expect(body.errors, text).toBeUndefined();
    return body.data;
  };
  /** A repair that was changed, with the instant before. */
  const changed = async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const { assetRepair } = await ask('query ($id: ID!) { assetRepair(id: $id) { updatedAt } }', { id });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'mill' });
    return { id, items, at: assetRepair.updatedAt };
  };
  const twice = `query ($id: ID!, $at: DateTime!) {
    now: assetRepair(id: $id) { ${record} } then: assetRepair(id: $id, asOf: $at) { ${record} } }`;

  test('a state of the past and its lines have ids of their own, and the id of the record beside it', async () => {
    const { id, items, at } = await changed();
    const { now, then } = await ask(twice, { id, at });
    expect(now).toMatchObject({ id, recordId: id, asset: 'mill', version: 2 });
    expect(now.consumedItems).toMatchObject([{ id: items[0], recordId: items[0] }, { id: items[1] }]);
    expect(then).toMatchObject({ id: `${id}@1`, recordId: id, asset: 'lathe', version: 1 });
    expect(then.consumedItems).toMatchObject([
      { id: `${items[0]}@1`, recordId: items[0], assetRepair: { id: `${id}@1`, recordId: id } },
      { id: `${items[1]}@1`, recordId: items[1] },
    ]);
    // The state of now is the same object of the past, whenever it was asked for.
    const present = await ask(twice, { id, at: new Date().toISOString() });
    expect(present.then).toMatchObject({ id: `${id}@2`, recordId: id });
  });

  test('a state has its id also without a journal, and the same one when there is a journal again', async () => {
    const env = { DATABASE_URL: gateway.config.databaseUrl, JOURNAL: 'false' };
    const without = await startGateway({ env });
    const { id, items } = await createRepair(without, repairInput({ consumedItems: 1 }));
    const query = `query ($id: ID!, $at: DateTime!) { past: assetRepair(id: $id, asOf: $at) { ${record} } }`;
    const { body } = await without.graphql(query, { id, at: new Date().toISOString() });
    await without.close();
    expect(body).toMatchObject({ data: { past: { id: `${id}@1`, recordId: id } } });
    expect(body.data.past.consumedItems).toMatchObject([{ id: `${items[0]}@1`, recordId: items[0] }]);
    expect(await ask(query, { id, at: new Date().toISOString() })).toEqual(body.data);
    expect(await ask('query ($id: ID!) { node(id: $id) { id } }', { id: `${id}@1` })).toEqual({
      node: { id: `${id}@1` },
    });
  });

  test('`node` and `nodes` find it again, also when the record is deleted; no other version is found', async () => {
    const { id, items, at } = await changed();
    const { then } = await ask(twice, { id, at });
    const again = `query ($id: ID!, $line: ID!, $ids: [ID!]!) {
      node(id: $id) { id recordId ... on AssetRepair { ${record} } }
      line: node(id: $line) { id ... on AssetRepairConsumedItem { recordId itemCode assetRepair { asset } } }
      nodes(ids: $ids) { id ... on AssetRepair { asset } } }`;
    const line = `${items[0]}@1`;
    const found = await ask(again.replace('id recordId ... on', 'id ... on'), {
      ...{ id: then.id, line },
      ids: [`${id}@2`, id, then.id, `${id}@3`, line, `${items[1]}@7`, 'asset-repair_00000000000000000000000000@1'],
    });
    expect(found.node).toEqual(then);
    expect(found.line).toEqual({ id: line, recordId: items[0], itemCode: 'item 1', assetRepair: { asset: 'lathe' } });
    expect(found.nodes).toEqual([
      { id: `${id}@2`, asset: 'mill' },
      { id, asset: 'mill' },
      { id: `${id}@1`, asset: 'lathe' },
      ...[null, { id: line }, null, null],
    ]);
    const listed = await ask('query ($a: ID!, $b: ID!) { nodes(ids: [$a, $b]) { id } }', { a: then.id, b: id });
    expect(listed.nodes).toEqual([{ id: then.id }, { id }]);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    const late = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on AssetRepair { asset } } }', {
      ids: [then.id, `${id}@2`, `${id}@3`, id],
    });
    expect(late.nodes).toEqual([{ id: then.id, asset: 'lathe' }, { id: `${id}@2`, asset: 'mill' }, null, null]);
  });

  test('`nodes` finds the others where one of the ids is refused', async () => {
    const { id } = await changed();
    const other = 'industry-type_00000000000000000000000000@1';
    const caller = await callerWith(gateway, 'assets:read');
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const { body } = await caller.graphql(query, { ids: [other, `${id}@1`, other, `${id}@2`] });
    expect(body.data.nodes).toEqual([null, { id: `${id}@1` }, null, { id: `${id}@2` }]);
    expect(body.errors.map(({ path }: { path: unknown[] }) => path)).toEqual([
      ['nodes', 0],
      ['nodes', 2],
    ]);
  });

  test('`node` and `nodes` find a line again that was deleted, alone or with its document', async () => {
    const { id, items } = await changed();
    const [first = '', second = ''] = items;
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) {
      id ... on AssetRepairConsumedItem { itemCode idx assetRepair { id asset } } } }`;
    const found = async (...ids: string[]) => (await ask(query, { ids })).nodes;
    const lines = [`${first}@1`, `${first}@2`, `${second}@2`, `${second}@3`];
    const state = (line: string, version: number, itemCode: string, idx: number) => {
      const assetRepair = { id: `${id}@${version}`, asset: version === 1 ? 'lathe' : 'mill' };
      return { id: `${line}@${version}`, itemCode, idx, assetRepair };
    };
    await gateway.rest('DELETE', `/api/assets/asset-repair-consumed-item/${first}`);
    const expected = [
      ...[state(first, 1, 'item 1', 1), state(first, 2, 'item 1', 1)],
      ...[state(second, 2, 'item 2', 2), state(second, 3, 'item 2', 1)],
    ];
    expect(await found(...lines)).toEqual(expected);
    expect(await found(`${first}@3`, `${first}@4`)).toEqual([null, null]);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    expect(await found(...lines)).toEqual(expected);
    expect(await found(`${first}@3`, `${second}@4`, first, second)).toEqual([null, null, null, null]);
  });

  test('lines are listed page by page as they were, also by the id of the state', async () => {
    const { id, items, at } = await changed();
    await gateway.rest('DELETE', `/api/assets/asset-repair-consumed-item/${items[0]}`);
    const page = `consumedItemsConnection(first: $first, after: $after, where: { itemCode: { startsWith: "item" } }) {
      totalCount nodes { id itemCode assetRepair { id } } edges { cursor node { id } } pageInfo { hasNextPage endCursor } }`;
    const query = `query ($id: ID!, $state: ID!, $at: DateTime, $first: Int, $after: String) {
      then: assetRepair(id: $id, asOf: $at) { ${page} } again: node(id: $state) { ... on AssetRepair { ${page} } } }`;
    const variables = { id, state: `${id}@1`, at, first: 1 };
    const { then, again } = await ask(query, variables);
    const first = { id: `${items[0]}@1`, itemCode: 'item 1', assetRepair: { id: `${id}@1` } };
    expect(then.consumedItemsConnection).toMatchObject({
      ...{ totalCount: 2, nodes: [first], edges: [{ node: { id: first.id } }], pageInfo: { hasNextPage: true } },
    });
    expect(again).toEqual(then);
    const after = then.consumedItemsConnection.pageInfo.endCursor;
    const second = (await ask(query, { ...variables, after })).then.consumedItemsConnection;
    expect(second).toMatchObject({ nodes: [{ id: `${items[1]}@1` }], pageInfo: { hasNextPage: false } });
    const late = await gateway.graphql(query, { ...variables, at: new Date().toISOString(), after });
    expect(late.body.errors).toMatchObject([
      {
        path: ['then', 'consumedItemsConnection'],
        message: expect.stringContaining('is not in this list at that time'),
      },
    ]);
  });

  test('the document of a deleted line is found by an index of the deletions of lines', async () => {
    const { items } = await changed();
    await gateway.rest('DELETE', `/api/assets/asset-repair-consumed-item/${items[0]}`);
    const before = gateway.statements.length;
    await ask('query ($id: ID!) { node(id: $id) { id } }', { id: `${items[0]}@1` });
    const sql = gateway.statements.slice(before).find((text) => text.includes("'delete'")) ?? '';
    const shown = sql.replace(/[?$]\d+/g, () => `'${items[0]}'`);
    const plan = await gateway.database.client.$transaction(async (client) => {
      if (database === 'sqlite') return client.$queryRawUnsafe(`EXPLAIN QUERY PLAN ${shown}`);
      await client.$executeRawUnsafe('SET LOCAL enable_seqscan = off');
      return client.$queryRawUnsafe(`EXPLAIN ${shown}`);
    });
    expect(inspect(plan)).toContain('gateway_journal_removed_line');
  });

  test('filters, parentId, mutations, other fields and _entities refuse it, and say what to use', async () => {
    const { id, at } = await changed();
    const past = (await ask(twice, { id, at })).then.id;
    const documents = [
      'query ($id: ID!) { assetRepair(id: $id) { id } }',
      'query ($id: ID!) { node(id: $id) { id } assetRepair(id: $id) { id } }',
      'query ($id: ID!) { history(id: $id) { nodes { version } } }',
      'query ($id: ID!) { assetRepairs(where: { id: { eq: $id } }) { nodes { id } } }',
      'query ($id: ID!) { assetRepairs(where: { id: { in: [$id] } }) { nodes { id } } }',
      'query ($id: ID!) { assetRepairConsumedItems(parentId: $id) { nodes { id } } }',
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "x" }) { record { id } } }',
      'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }',
      `mutation ($id: ID!) { createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: "a", warehouse: "w" }) { record { id } } }`,
    ];
    for (const query of documents) {
      for (const [form, variables] of [
        [query, { id: past }],
        [query.replace('($id: ID!) ', '').replaceAll('$id', JSON.stringify(past)), {}],
      ] as const) {
        const { body } = await gateway.graphql(form, variables);
        expect([form, JSON.stringify(body.errors)]).toEqual([form, expect.stringContaining('recordId')]);
      }
    }
    const { body } = await gateway.graphql(
      'query ($all: [_Any!]!) { _entities(representations: $all) { __typename } }',
      {
        all: [{ __typename: 'AssetRepair', id: past }],
      },
    );
    expect(body.errors[0].message).toContain('give the `recordId`');
  });

  test('a text that names a record by its id refuses it; others are free', async () => {
    const past = 'serial-and-batch-bundle_01kahzqe0v3m7c2f9x5w8yt4bd@2';
    const line = (itemCode: string, serialAndBatchBundle: string) => ({
      itemCode,
      warehouse: 'w',
      serialAndBatchBundle,
    });
    const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    const { body } = await gateway.graphql(create, { input: { ...repairInput(), consumedItems: [line('a', past)] } });
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('give the `recordId`'),
      extensions: { errors: [{ param: 'input.consumedItems[0].serialAndBatchBundle' }] },
    });
    const literal = await gateway.graphql(
      `mutation { createJobCard(input: { forJobCard: "${past}" }) { record { id } } }`,
    );
    expect(literal.text).toContain('give the `recordId`');
    const variable = 'mutation ($id: String) { createJobCard(input: { forJobCard: $id }) { record { id } } }';
    expect((await gateway.graphql(variable, { id: past })).text).toContain('give the `recordId`');
    const rest = await gateway.rest('POST', '/api/manufacturing/job-card', { for_job_card: past });
    expect(rest).toMatchObject({ status: 400, body: { error: { param: 'for_job_card' } } });
    // A number of a serial is no id, and neither is a code.
    const free = await gateway.rest('POST', '/api/manufacturing/job-card', { serial_no: past, production_item: past });
    expect(free).toMatchObject({ status: 201, body: { serial_no: past, production_item: past } });
  });

  test.each(['mill_1@2', 'order_01kahzqe0v3m7c2f9x5w8yt4bd@3'])(
    'the id %s of another system is a text',
    async (operation_id) => {
      const made = await gateway.rest('POST', '/api/manufacturing/job-card', { operation_id });
      expect(made).toMatchObject({ status: 201, body: { operation_id } });
      const { jobCards } = await ask(
        'query ($id: ID!) { jobCards(where: { operationId: { eq: $id } }) { nodes { id } } }',
        {
          id: operation_id,
        },
      );
      expect(jobCards.nodes).toEqual([{ id: made.body.id }]);
      const { status } = await gateway.rest('GET', `/api/assets/asset-repair/${operation_id}`);
      expect(status).toBe(404);
    },
  );

  test('REST shows the id of the record itself', async () => {
    const { id, items, at } = await changed();
    const { body } = await gateway.rest('GET', `/api/assets/asset-repair/${id}?as_of=${at}`);
    expect(body).toMatchObject({ id, asset: 'lathe', consumed_items: [{ id: items[0] }, { id: items[1] }] });
  });

  test('no endpoint of REST has a record with the id of a state of the past', async () => {
    const { id, items, at } = await changed();
    const past = (await ask(twice, { id, at })).then.id;
    const [record, line] = [`/api/assets/asset-repair/${past}`, `/api/assets/asset-repair-consumed-item/${items[0]}@1`];
    for (const [method, path, given] of [
      ['GET', record, undefined],
      ['GET', record.replace('@', '%40'), undefined],
      ['GET', `${record}?as_of=${at}`, undefined],
      ['GET', `${record}/history`, undefined],
      ['PATCH', record, { asset: 'x' }],
      ['POST', `${record}/submit`, undefined],
      ['POST', `${record}/cancel`, undefined],
      ['DELETE', record, undefined],
      ['GET', line, undefined],
      ['PATCH', line, { item_code: 'x' }],
      ['DELETE', line, undefined],
    ] as const) {
      const { status, body } = await gateway.rest(method, path, given);
      expect([method, path, status, body.error?.code]).toEqual([method, path, 404, 'resource_missing']);
    }
    expect((await ask('query ($id: ID!) { assetRepair(id: $id) { version } }', { id })).assetRepair.version).toBe(2);
  });

  test('lines of one state undo their document once', async () => {
    const { id } = await changed();
    const query = 'query ($id: ID!) { node(id: $id) { ... on AssetRepair { consumedItems { id } } } }';
    const lines: string[] = (await ask(query, { id: `${id}@1` })).node.consumedItems.map(
      (line: { id: string }) => line.id,
    );
    expect(lines.length).toBeGreaterThan(1);
    const entriesReadFor = async (ids: string[]) => {
      const before = gateway.statements.length;
      const { nodes } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
      expect(nodes).toEqual(ids.map((line) => ({ id: line })));
      return gateway.statements.slice(before).filter((sql) => sql.includes('"summed"')).length;
    };
    const once = await entriesReadFor(lines.slice(0, 1));
    expect(once).toBeGreaterThan(0);
    expect(await entriesReadFor(lines)).toBe(once);
  });

  test('states cost as much by their ids as with asOf, so that too many are refused before any is read', async () => {
    const { id } = await changed();
    const ids = Array.from({ length: 50 }, () => `${id}@1`);
    const nodes = Array.from({ length: 2 }, (_, index) => `a${index}: nodes(ids: $ids) { id }`).join(' ');
    const node = ids.map((text, index) => `a${index}: node(id: "${text}") { id }`).join(' ');
    for (const [query, variables] of [
      [`query ($ids: [ID!]!) { ${nodes} }`, { ids }],
      [`query ($ids: [ID!]!) { ${node} nodes(ids: $ids) { id } }`, { ids }],
      [`{ nodes(ids: ${JSON.stringify([...ids, ...ids])}) { id } }`, {}],
    ] as const) {
      const before = gateway.statements.length;
      const { status, body } = await gateway.graphql(query, variables);
      expect(status).toBe(400);
      expect(body.errors[0].extensions).toMatchObject({ measure: 'cost', limit: 100_000 });
      expect(gateway.statements.slice(before).filter((sql) => !sql.includes('ApiKey'))).toEqual([]);
    }
  });
});
