/** The fields that a key may use in GraphQL, and the answer to the rest of an operation. */
import { describe, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { callerWith, errorsOf } from './keys.js';

const forbidden = (scope: string) => ({
  message: expect.stringContaining(`\`${scope}\``),
  extensions: { code: 'FORBIDDEN', reason: 'forbidden', missingScopes: [scope], requestId: expect.any(String) },
});

onDatabaseInTurn(import.meta.filename, (gateway) => {
  const newRepair = async () => {
    const body = { asset: 'LATHE-1', failure_date: '2026-01-31', description: 'a secret of the workshop' };
    return (await gateway().rest('POST', '/api/assets/asset-repair', body)).body.id as string;
  };
  const newItem = async (repair: string) => {
    const body = { asset_repair_id: repair, item_code: 'BELT', warehouse: 'Stores' };
    return (await gateway().rest('POST', '/api/assets/asset-repair-consumed-item', body)).body.id as string;
  };

  describe('a field the key may not reach', () => {
    test('is FORBIDDEN by itself, and what stands beside it is answered', async () => {
      const caller = await callerWith(gateway(), 'stock:read');
      const answer = await caller.graphql(
        '{ before: serialNos { totalCount } assetRepairs { totalCount } subscriptionSettings { id } after: uomCategories { totalCount } }',
      );
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({
        before: { totalCount: expect.any(Number) },
        assetRepairs: null,
        subscriptionSettings: null,
        after: { totalCount: expect.any(Number) },
      });
      expect(answer.body.errors).toEqual([
        expect.objectContaining({ path: ['assetRepairs'], ...forbidden('assets:read') }),
        expect.objectContaining({ path: ['subscriptionSettings'], ...forbidden('accounts:read') }),
      ]);
    });

    test.each([
      ['the count alone', '{ x: assetRepairs { totalCount } }'],
      ['the cursors alone', '{ x: assetRepairs { pageInfo { startCursor hasNextPage } } }'],
      ['the type alone', '{ x: assetRepairs { __typename } }'],
      ['one record', '{ x: assetRepair(id: "asset-repair_0") { id } }'],
      ['lines', '{ x: assetRepairConsumedItems(parentId: "asset-repair_0") { nodes { id } } }'],
      ['a condition', '{ x: assetRepairs(where: { asset: { eq: "LATHE-1" } }) { totalCount } }'],
      ['a condition on lines', '{ x: assetRepairs(where: { consumedItems: { some: {} } }) { totalCount } }'],
      [
        'a fragment',
        'query { ...F } fragment F on Query { x: assetRepairs { nodes { ...R } } } fragment R on AssetRepair { id }',
      ],
      ['an alias', '{ x: assetRepairs(first: 1) { n: nodes { a: id } } }'],
    ])('is FORBIDDEN however it is asked for: %s', async (_, query) => {
      const caller = await callerWith(gateway(), 'stock:read', 'assets:write', 'admin');
      const { body } = await caller.graphql(query);
      expect(body.data).toEqual({ x: null });
      expect(body.errors).toEqual([expect.objectContaining({ path: ['x'], ...forbidden('assets:read') })]);
    });

    test('is FORBIDDEN before its arguments are looked at', async () => {
      const caller = await callerWith(gateway(), 'stock:read');
      const { body } = await caller.graphql('{ assetRepairs(first: -1) { totalCount } }');
      expect(errorsOf({ body })).toEqual(['FORBIDDEN assetRepairs']);
    });
  });

  describe('by its id, through `node` and `nodes`,', () => {
    test('a record is FORBIDDEN as by its own query, whether it is there or not', async () => {
      const caller = await callerWith(gateway(), 'stock:read');
      const there = await newRepair();
      for (const id of [there, `asset-repair_${'0'.repeat(26)}`]) {
        const { body } = await caller.graphql('query ($id: ID!) { node(id: $id) { id } }', { id });
        expect(body.data).toEqual({ node: null });
        expect(body.errors).toEqual([expect.objectContaining({ path: ['node'], ...forbidden('assets:read') })]);
      }
    });

    test('of several records only those it may not see are FORBIDDEN', async () => {
      const caller = await callerWith(gateway(), 'stock:read');
      const uom = (await gateway().rest('POST', '/api/stock/u-o-m-category', { category_name: 'Mass' })).body.id;
      const ids = [uom, await newRepair(), uom];
      const { body } = await caller.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }', { ids });
      const seen = { id: uom, __typename: 'UOMCategory' };
      expect(body.data).toEqual({ nodes: [seen, null, seen] });
      expect(body.errors).toEqual([expect.objectContaining({ path: ['nodes', 1], ...forbidden('assets:read') })]);
    });
  });

  describe('a key that may write and not read', () => {
    const create = (selection: string) =>
      `mutation ($input: CreateAssetRepairInput!) { x: createAssetRepair(input: $input) { record ${selection} userErrors { code } } }
      ${selection.includes('...F') ? 'fragment F on AssetRepair { id asset }' : ''}`;
    const input = { asset: 'LATHE-1', failureDate: '2026-01-31' };
    const total = async () => (await gateway().rest('GET', '/api/assets/asset-repair')).body.total;

    test('gets the id and the version of what it writes', async () => {
      const caller = await callerWith(gateway(), 'assets:write');
      const { body } = await caller.graphql(create('{ __typename id recordId version }'), { input });
      const { id } = body.data.x.record;
      expect(id).toEqual(expect.any(String));
      expect(body.data.x.record).toEqual({ __typename: 'AssetRepair', id, recordId: id, version: 1 });
    });

    test.each([
      ['a field', '{ id asset }'],
      ['a field behind a directive', '{ id asset @skip(if: true) ...F }'],
      ['a fragment', '{ ...F }'],
      ['an inline fragment', '{ ... on AssetRepair { description } }'],
      ['an alias that looks like the id', '{ id: asset }'],
      ['lines', '{ consumedItems { id } }'],
      ['what may be done', '{ allowedActions }'],
    ])('is refused more than that before anything is written: %s', async (_, selection) => {
      const caller = await callerWith(gateway(), 'assets:write');
      const before = await total();
      const { body } = await caller.graphql(create(selection), { input });
      expect(body.data).toEqual({ x: null });
      expect(body.errors).toEqual([expect.objectContaining({ path: ['x'], ...forbidden('assets:read') })]);
      expect(await total()).toBe(before);
    });

    test('does not reach the parent through a line it writes', async () => {
      const caller = await callerWith(gateway(), 'assets:write');
      const assetRepairId = await newRepair();
      const { body } = await caller.graphql(
        `mutation ($input: CreateAssetRepairConsumedItemInput!) {
          x: createAssetRepairConsumedItem(input: $input) { record { id assetRepair { description } } }
        }`,
        { input: { assetRepairId, itemCode: 'BELT', warehouse: 'Stores' } },
      );
      expect(body.data).toEqual({ x: null });
      expect(body.errors).toEqual([expect.objectContaining(forbidden('assets:read'))]);
    });

    describe('that puts lines in order', () => {
      const base = '/api/assets/asset-repair-consumed-item';
      const reorder = (selection: string, args = 'parentId: $parentId, ids: $ids') =>
        `mutation ($parentId: ID!, $ids: [ID!]) { x: reorderAssetRepairConsumedItems(${args}) { records { ${selection} } } }`;
      const three = async () => {
        const parentId = await newRepair();
        return { parentId, ids: [await newItem(parentId), await newItem(parentId), await newItem(parentId)] };
      };
      const seen = async (parentId: string) => {
        const lines = (await gateway().rest('GET', `${base}?parent_id=${parentId}`)).body.data;
        const { headers } = await gateway().rest('GET', `/api/assets/asset-repair/${parentId}`);
        return [headers.get('etag'), lines.map(({ id }: { id: string }) => id)];
      };

      test('gets the ids that it has sent', async () => {
        const caller = await callerWith(gateway(), 'assets:write');
        const { parentId, ids } = await three();
        const order = ids.toReversed();
        const overRest = await caller.rest('POST', `${base}/reorder`, { parent_id: parentId, ids: order });
        const data = order.map((id) => ({ id }));
        expect([overRest.status, overRest.body]).toEqual([200, { data, has_more: false, total: 3 }]);
        const { body } = await caller.graphql(reorder('id __typename'), { parentId, ids });
        expect(body.data.x.records).toEqual(ids.map((id) => ({ id, __typename: 'AssetRepairConsumedItem' })));
        expect((await seen(parentId))[1]).toEqual(ids);
      });

      test('gets no version, and no ids that it has not sent; then nothing is written', async () => {
        const caller = await callerWith(gateway(), 'assets:write');
        const { parentId, ids } = await three();
        const before = await seen(parentId);
        for (const [selection, variables] of [
          ['id version', { parentId, ids }],
          ['id', { parentId }],
          ['id', { parentId, ids: null }],
          ['__typename', { parentId }],
        ] as const) {
          const { body } = await caller.graphql(reorder(selection), variables);
          expect(body.data).toEqual({ x: null });
          expect(body.errors).toEqual([expect.objectContaining({ path: ['x'], ...forbidden('assets:read') })]);
        }
        const bare = await caller.graphql(reorder('id', 'parentId: $parentId').replace(', $ids: [ID!]', ''), {
          parentId,
        });
        expect(bare.body.errors).toEqual([expect.objectContaining(forbidden('assets:read'))]);
        for (const body of [{ parent_id: parentId }, { parent_id: parentId, ids: null }]) {
          const { status, text, body: answer } = await caller.rest('POST', `${base}/reorder`, body);
          expect([status, answer.error.missing_scopes]).toEqual([403, ['assets:read']]);
          for (const id of ids) expect(text).not.toContain(id);
        }
        expect(await seen(parentId)).toEqual(before);
      });

      test('does not learn which lines it has left out', async () => {
        const caller = await callerWith(gateway(), 'assets:write');
        const { parentId, ids } = await three();
        const [one, two, three_] = ids;
        for (const sent of [[], [one], [one, two, 'nobody'], [one, one]]) {
          const overRest = await caller.rest('POST', `${base}/reorder`, { parent_id: parentId, ids: sent });
          const overGraphql = await caller.graphql(reorder('id'), { parentId, ids: sent });
          expect([overRest.status, overRest.body.error.code]).toEqual([400, 'reorder_mismatch']);
          expect(overGraphql.body.errors[0].extensions.reason).toBe('reorder_mismatch');
          for (const { text } of [overRest, overGraphql]) {
            expect(text).not.toContain('missing');
            for (const id of [two, three_]) if (!sent.includes(id)) expect(text).not.toContain(id);
          }
          const [problem] = overRest.body.error.errors;
          expect(problem.unexpected).toEqual(sent.includes('nobody') ? ['nobody'] : sent.length === 2 ? [one] : []);
        }
        const reader = await callerWith(gateway(), 'assets:write', 'assets:read');
        const { body } = await reader.rest('POST', `${base}/reorder`, { parent_id: parentId, ids: [one] });
        expect(body.error.errors[0].missing).toEqual([two, three_]);
      });
    });

    test('gets ids for answers on REST, with ETag and Location', async () => {
      const caller = await callerWith(gateway(), 'assets:write', 'assets:submit', 'assets:cancel', 'assets:delete');
      const created = await caller.rest('POST', '/api/assets/asset-repair', {
        asset: 'LATHE-1',
        failure_date: '2026-01-31',
      });
      const { id } = created.body;
      expect([created.status, created.body]).toEqual([201, { id: expect.stringMatching(/^asset-repair_/) }]);
      expect(created.headers.get('location')).toBe(`/api/assets/asset-repair/${id}`);
      expect(created.headers.get('etag')).toBe('"1"');
      const path = `/api/assets/asset-repair/${id}`;
      for (const [method, suffix] of [
        ['PATCH', ''],
        ['POST', '/submit'],
        ['POST', '/cancel'],
      ] as const) {
        const answer = await caller.rest(method, path + suffix, method === 'PATCH' ? { asset: 'LATHE-2' } : undefined);
        expect([answer.status, answer.body], suffix).toEqual([200, { id }]);
      }
      const item = await newItem(id);
      const reordered = await caller.rest('POST', '/api/assets/asset-repair-consumed-item/reorder', {
        parent_id: id,
        ids: [item],
      });
      expect(reordered.body).toEqual({ data: [{ id: item }], has_more: false, total: 1 });
      expect((await caller.rest('DELETE', path)).body).toEqual({ id, deleted: true });
    });
  });

  describe('a mutation', () => {
    test('that is FORBIDDEN does not affect those before and after it', async () => {
      const caller = await callerWith(gateway(), 'stock:read', 'stock:write');
      const { body } = await caller.graphql(`mutation {
        first: createUOMCategory(input: { categoryName: "Mass" }) { record { categoryName } }
        createIndustryType(input: { industry: "Steel" }) { record { id } }
        deleteUOMCategory(id: "u-o-m-category_0") { deletedId }
        last: createUOMCategory(input: { categoryName: "Length" }) { record { categoryName } }
      }`);
      expect(body.data).toEqual({
        first: { record: { categoryName: 'Mass' } },
        createIndustryType: null,
        deleteUOMCategory: null,
        last: { record: { categoryName: 'Length' } },
      });
      expect(errorsOf({ body })).toEqual(['FORBIDDEN createIndustryType', 'FORBIDDEN deleteUOMCategory']);
    });

    test.each([
      ['submitted', 'assets:submit'],
      ['cancelled', 'assets:cancel'],
    ])('that updates the status to %s needs %s besides', async (status, scope) => {
      const editor = await callerWith(gateway(), 'assets:read', 'assets:write');
      const mover = await callerWith(gateway(), 'assets:read', 'assets:write', scope);
      const id = await newRepair();
      if (status === 'cancelled') await gateway().rest('POST', `/api/assets/asset-repair/${id}/submit`);
      const rest = await editor.rest('PATCH', `/api/assets/asset-repair/${id}`, { status });
      expect([rest.status, rest.body.error.missing_scopes]).toEqual([403, [scope]]);
      const update = `mutation ($id: ID!, $input: UpdateAssetRepairInput!) {
        updateAssetRepair(id: $id, input: $input) { record { status } }
      }`;
      const named = status.toUpperCase();
      const graphql = await editor.graphql(update, { id, input: { status: named } });
      expect(graphql.body.errors).toEqual([expect.objectContaining(forbidden(scope))]);
      const literal = await editor.graphql(
        `mutation { updateAssetRepair(id: "${id}", input: { status: ${named} }) { record { status } } }`,
      );
      expect(literal.body.errors).toEqual([expect.objectContaining(forbidden(scope))]);
      expect((await editor.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'LATHE-3' })).status).toBe(200);
      expect((await mover.rest('PATCH', `/api/assets/asset-repair/${id}`, { status })).body.status).toBe(status);
    });

    test('that deletes a line and asks for its parent needs to read, and deletes nothing without', async () => {
      const caller = await callerWith(gateway(), 'assets:delete');
      const item = await newItem(await newRepair());
      const remove = (selection: string) =>
        caller.graphql(`mutation { gone: deleteAssetRepairConsumedItem(id: "${item}") { ${selection} } }`);
      expect((await remove('deletedId parent { id }')).body.errors).toEqual([
        expect.objectContaining(forbidden('assets:read')),
      ]);
      expect((await remove('deletedId deleted')).body.data.gone).toEqual({ deletedId: item, deleted: true });
    });

    test('that deletes a line reveals nothing of a parent in an area that the key may not read', async () => {
      const caller = await callerWith(gateway(), 'accounts:write', 'accounts:read', 'accounts:delete');
      const parent = await newRepair();
      const body = { parent_id: parent, parent_type: 'Asset Repair', mode_of_payment: 'Cash' };
      const { id } = (await caller.rest('POST', '/api/accounts/sales-invoice-payment', body)).body;
      const answer = await caller.graphql(
        `mutation { gone: deleteSalesInvoicePayment(id: "${id}") { deletedId parent { id } } }`,
      );
      expect(answer.body.data.gone).toEqual({ deletedId: id, parent: null });
      expect(errorsOf(answer)).toEqual(['FORBIDDEN gone.parent']);
    });

    test('may set a status that is no state of a document', async () => {
      const editor = await callerWith(gateway(), 'stock:read', 'stock:write');
      const body = { serial_no: 'S-1', item_code: 'I', company: 'C' };
      const { id } = (await editor.rest('POST', '/api/stock/serial-no', body)).body;
      expect((await editor.rest('PATCH', `/api/stock/serial-no/${id}`, { status: 'submitted' })).status).toBe(200);
    });
  });

  test('`*` is everything but the keys, and `admin` is the keys alone', async () => {
    const query = '{ apiKeys { nodes { id } } serialNos { totalCount } }';
    const everything = await callerWith(gateway(), '*');
    expect(errorsOf(await everything.graphql(query))).toEqual(['FORBIDDEN apiKeys']);
    const administrator = await callerWith(gateway(), 'admin');
    expect(errorsOf(await administrator.graphql(query))).toEqual(['FORBIDDEN serialNos']);
    expect(errorsOf(await gateway().graphql(query))).toEqual([]);
    for (const mutation of [
      'createApiKey(input: { name: "n", scopes: ["*"] }) { secret }',
      'rotateApiKey(id: "brg_000000000000") { secret }',
      'revokeApiKey(id: "brg_000000000000") { apiKey { id } }',
    ]) {
      expect(errorsOf(await everything.graphql(`mutation { x: ${mutation} }`))).toEqual(['FORBIDDEN x']);
    }
  });
});
