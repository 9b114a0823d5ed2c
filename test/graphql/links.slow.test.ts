/** Links: the named record, filters through it, and the scopes that it needs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { ask, refusal } from './ask.js';

describe.each(providers)('links on %s', (database) => {
  let compiled: TestGateway;
  let resolving: TestGateway;
  const both = () => [compiled, resolving];
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    compiled = await startGateway({ database });
    resolving = await startGateway({ env: { DATABASE_URL: compiled.config.databaseUrl }, compiled: false });
    const bundle = { company: 'ACME', itemCode: 'BELT', voucherType: 'Asset Repair', typeOfTransaction: 'Outward' };
    const created = await ask(
      compiled,
      `mutation ($bundle: CreateSerialAndBatchBundleInput!, $older: CreateSerialNoInput!, $newer: CreateSerialNoInput!) {
        gone: createSerialAndBatchBundle(input: $bundle) { record { id } }
        bundle: createSerialAndBatchBundle(input: $bundle) { record { id } }
        older: createSerialNo(input: $older) { record { id } }
        newer: createSerialNo(input: $newer) { record { id } }
      }`,
      {
        bundle,
        older: { serialNo: 'SN-1', itemCode: 'BELT', company: 'ACME', status: 'Consumed' },
        newer: { serialNo: 'SN-1', itemCode: 'BELT', company: 'ACME', status: 'Active' },
      },
    );
    for (const [name, { record }] of Object.entries<{ record: { id: string } }>(created)) ids[name] = record.id;
    await compiled.rest('DELETE', `/api/stock/serial-and-batch-bundle/${ids.gone}`);
    const lines = [
      { serialNo: 'SN-1', serialAndBatchBundle: ids.bundle },
      { serialNo: 'SN-1\nSN-2', serialAndBatchBundle: ids.gone },
      { serialNo: 'sn-1', serialAndBatchBundle: ids.newer },
      { serialNo: ids.newer },
      { serialNo: '', serialAndBatchBundle: '' },
      { serialNo: 'x'.repeat(5000), serialAndBatchBundle: `${ids.bundle}${'🪛'.repeat(3000)}` },
    ].map((line) => ({ itemCode: 'BELT', warehouse: 'Stores', ...line }));
    const repair = await ask(
      compiled,
      'mutation ($input: CreateAssetRepairInput!) { repair: createAssetRepair(input: $input) { record { id } } }',
      { input: { asset: 'LATHE-1', failureDate: '2026-01-31', consumedItems: lines } },
    );
    ids.repair = repair.repair.record.id;
  });
  afterAll(() => Promise.all(both().map((gateway) => gateway.close())));

  const named = `consumedItems {
    serialNoRecord { id status }
    serialAndBatchBundleRecord { id voucherType }
  }`;

  test('give the named record, the newest of several, and null where the text names none', async () => {
    const items = [
      {
        serialNoRecord: { id: ids.newer, status: 'Active' },
        serialAndBatchBundleRecord: { id: ids.bundle, voucherType: 'Asset Repair' },
      },
      ...Array.from({ length: 5 }, () => ({ serialNoRecord: null, serialAndBatchBundleRecord: null })),
    ];
    for (const gateway of both()) {
      const { assetRepair } = await ask(gateway, `query ($id: ID!) { assetRepair(id: $id) { ${named} } }`, {
        id: ids.repair,
      });
      expect(assetRepair.consumedItems).toEqual(items);
    }
  });

  test('are answered by one statement, or by one for all records of a page', async () => {
    const query = '{ assetRepairs { nodes { consumedItems { serialAndBatchBundleRecord { id company } } } } }';
    const counts = await Promise.all(
      both().map(async (gateway) => {
        await ask(gateway, query);
        const before = gateway.statements.length;
        await ask(gateway, query);
        return gateway.statements.slice(before).filter((sql) => !sql.includes('ApiKey')).length;
      }),
    );
    expect(counts[0]).toBe(1);
    expect(counts[1]).toBeLessThanOrEqual(3);
  });

  test.each([
    ['{ serialNoRecord: { status: { eq: "Active" } } }', 1],
    ['{ serialNoRecord: { status: { eq: "Consumed" } } }', 0],
    ['{ serialNoRecord: {} }', 1],
    ['{ not: { serialNoRecord: {} } }', 5],
    ['{ not: { serialNoRecord: { status: { eq: "Consumed" } } } }', 6],
    ['{ serialAndBatchBundleRecord: { voucherType: { startsWith: "Asset" }, not: { company: { eq: "X" } } } }', 1],
    ['{ or: [{ serialAndBatchBundleRecord: {} }, { serialNo: { eq: "sn-1" } }] }', 2],
  ])('filter by the named record: %s', async (where, count) => {
    const literal = `query ($id: ID!) {
      list: assetRepairConsumedItems(parentId: $id, where: ${where}) { totalCount pageInfo { hasNextPage } nodes { idx } }
      last: assetRepairConsumedItems(parentId: $id, last: 1, where: ${where}) { pageInfo { hasPreviousPage } nodes { idx } }
      aggregate: assetRepairConsumedItemAggregate(where: ${where}) { count }
      record: assetRepair(id: $id) { consumedItems(where: ${where}, orderBy: [{ field: IDX, direction: DESC }]) { idx } }
      repairs: assetRepairs(where: { consumedItems: { some: ${where} } }) { totalCount }
    }`;
    const [one, other] = await Promise.all(both().map((gateway) => ask(gateway, literal, { id: ids.repair })));
    expect(one).toEqual(other);
    expect(one.list.totalCount).toBe(count);
    expect(one.list.nodes).toHaveLength(count);
    expect(one.aggregate.count).toBe(count);
    expect(one.record.consumedItems).toEqual([...one.list.nodes].reverse());
    expect(one.last.nodes).toEqual(one.list.nodes.slice(-1));
    expect(one.last.pageInfo.hasPreviousPage).toBe(count > 1);
    expect(one.repairs.totalCount).toBe(Math.min(count, 1));
  });

  test('are FORBIDDEN to who may not read the named type, the rest is answered', async () => {
    for (const gateway of both()) {
      const caller = await callerWith(gateway, 'assets:read');
      const query = `query ($id: ID!) { assetRepair(id: $id) { id consumedItems(limit: 1) { idx serialNoRecord { id } } } }`;
      const { body } = await caller.graphql(query, { id: ids.repair });
      expect(body.data.assetRepair).toEqual({ id: ids.repair, consumedItems: [{ idx: 1, serialNoRecord: null }] });
      expect(body.errors[0]).toMatchObject({
        path: ['assetRepair', 'consumedItems', 0, 'serialNoRecord'],
        extensions: { code: 'FORBIDDEN', missingScopes: ['stock:read'] },
      });
    }
  });

  test.each([
    ['a list', 'x: assetRepairConsumedItems(parentId: $id, where: $where) { totalCount }', 'x'],
    ['lines', 'assetRepair(id: $id) { x: consumedItems(where: $where) { id } }', 'assetRepair.x'],
    ['a filter of documents', 'x: assetRepairs(where: { consumedItems: { none: $where } }) { totalCount }', 'x'],
    ['an aggregate', 'x: assetRepairConsumedItemAggregate(where: { not: $where }) { count }', 'x'],
  ])('cannot be guessed through the filter of %s', async (_, field, path) => {
    for (const gateway of both()) {
      const caller = await callerWith(gateway, 'assets:read');
      const filters = [{ serialNoRecord: { status: { eq: 'Active' } } }, { or: [{ serialAndBatchBundleRecord: {} }] }];
      for (const where of filters) {
        const id = field.includes('$id') ? '$id: ID!, ' : '';
        const query = `query (${id}$where: AssetRepairConsumedItemFilter!) { ${field} }`;
        const { body } = await caller.graphql(query, { id: ids.repair, where });
        expect(
          body.errors.map(({ path, extensions }: { path: string[]; extensions: object }) => [
            path.join('.'),
            extensions,
          ]),
        ).toEqual([[path, expect.objectContaining({ code: 'FORBIDDEN', missingScopes: ['stock:read'] })]]);
      }
    }
  });

  test('refuse a mutation that would show what the key may not read, before it writes', async () => {
    const selections = [
      'consumedItems { serialNoRecord { id } }',
      '...F',
      'consumedItems(where: { serialNoRecord: {} }) { id }',
    ];
    for (const gateway of both()) {
      const caller = await callerWith(gateway, 'assets:read', 'assets:write');
      for (const selection of selections) {
        const before = (await ask(gateway, '{ assetRepairs { totalCount } }')).assetRepairs.totalCount;
        const { body } = await caller.graphql(
          `mutation ($input: CreateAssetRepairInput!) { x: createAssetRepair(input: $input) { record { id ${selection} } } }
          ${selection === '...F' ? 'fragment F on AssetRepair { consumedItems { serialAndBatchBundleRecord { id } } }' : ''}`,
          { input: { asset: 'LATHE-2', failureDate: '2026-01-31' } },
        );
        expect(body).toMatchObject({ data: { x: null }, errors: [{ path: ['x'], extensions: { code: 'FORBIDDEN' } }] });
        expect((await ask(gateway, '{ assetRepairs { totalCount } }')).assetRepairs.totalCount).toBe(before);
      }
    }
  });

  test('are in the answer of the write that makes them, also to the written record itself and its like', async () => {
    for (const gateway of both()) {
      const shown = '{ id forJobCardRecord { id remarks } serialNoRecord { id } }';
      const create = `mutation ($input: CreateJobCardInput!) { card: createJobCard(input: $input) { record ${shown} } }`;
      const first = (await ask(gateway, create, { input: { remarks: 'one', serialNo: 'SN-1' } })).card.record;
      expect(first).toEqual({ id: expect.any(String), forJobCardRecord: null, serialNoRecord: { id: ids.newer } });
      const second = (await ask(gateway, create, { input: { forJobCard: first.id } })).card.record;
      expect(second.forJobCardRecord).toEqual({ id: first.id, remarks: 'one' });
      const many = `mutation ($inputs: [CreateJobCardInput!]!) { cards: createManyJobCards(inputs: $inputs) { records ${shown} } }`;
      const { cards } = await ask(gateway, many, { inputs: [{ forJobCard: first.id }, { forJobCard: second.id }] });
      expect(cards.records.map((card: typeof first) => card.forJobCardRecord.id)).toEqual([first.id, second.id]);
      const { own } = await ask(
        gateway,
        `mutation ($id: ID!) { own: updateJobCard(id: $id, input: { forJobCard: "${first.id}", remarks: "two" }) { record ${shown} } }`,
        { id: first.id },
      );
      expect(own.record.forJobCardRecord).toEqual({ id: first.id, remarks: 'two' });
    }
  });

  test('are refused with asOf', async () => {
    for (const gateway of both()) {
      for (const selection of ['serialNoRecord { id }', 'id']) {
        const where = selection === 'id' ? '(where: { serialNoRecord: {} })' : '';
        const query = `query ($id: ID!, $asOf: DateTime!) { assetRepair(id: $id, asOf: $asOf) { consumedItems${where} { ${selection} } } }`;
        const refused = await refusal(gateway, query, { id: ids.repair, asOf: new Date().toISOString() });
        expect(refused.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
        expect(refused.message).toContain('not known');
      }
    }
  });
});
