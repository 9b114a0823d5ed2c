/** The history of documents, and the list of all changes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepJournal } from '../../../src/change/journal/keep-journal.js';
import { callerWith } from '../../access/keys.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { heldBy } from '../../journal/held.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  const ask = async (query: string, variables: Record<string, unknown> = {}, headers?: Record<string, string>) => {
    const { body, text } = await gateway.graphql(query, variables, headers);
    expect(body.errors, text).toBeUndefined();
    return body.data;
  };
  const version =
    'at action version by { keyId keyName requestId operation } changes { path action recordId before after }';

  test('a document shows its versions, newest first, with the changes of its lines', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'mill', capitalize_repair_cost: true });
    await ask(
      'mutation Edit($id: ID!) { updateAssetRepairConsumedItem(id: $id, input: { warehouse: "z", idx: 1 }) { record { id } } }',
      { id: items[1] },
    );
    await gateway.rest('POST', `/api/assets/asset-repair/${id}/submit`);
    const { assetRepair } = await ask(
      `query ($id: ID!) { assetRepair(id: $id) { history { nodes { ${version} } pageInfo { hasNextPage hasPreviousPage } } } }`,
      { id },
    );
    const [submitted, moved, updated, created, ...none] = assetRepair.history.nodes;
    expect(none).toEqual([]);
    expect(assetRepair.history.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false });
    expect(submitted).toMatchObject({
      action: 'SUBMIT',
      version: 4,
      by: { keyId: 'environment', operation: 'AssetRepairSubmit' },
      changes: [{ path: ['status'], before: 'DRAFT', after: 'SUBMITTED', action: 'SUBMIT', recordId: id }],
    });
    expect(moved).toMatchObject({ action: 'UPDATE', version: 3, by: { operation: 'Edit' } });
    expect(moved.changes).toEqual(
      expect.arrayContaining([
        { path: ['consumedItems', items[0], 'idx'], action: 'MOVE', recordId: items[0], before: 1, after: 2 },
        { path: ['consumedItems', items[1], 'idx'], action: 'UPDATE', recordId: items[1], before: 2, after: 1 },
        expect.objectContaining({ path: ['consumedItems', items[1], 'warehouse'], after: 'z' }),
      ]),
    );
    expect(updated.changes.map(({ path, before, after }: Record<string, unknown>) => [path, before, after])).toEqual([
      [['asset'], 'lathe', 'mill'],
      [['capitalizeRepairCost'], false, true],
    ]);
    expect(created).toMatchObject({ action: 'CREATE', version: 1 });
    expect(created.changes).toContainEqual({
      path: ['consumedItems', items[0], 'idx'],
      action: 'CREATE',
      recordId: items[0],
      before: null,
      after: 1,
    });
  });

  test('the answer to a change shows the change, from within its transaction', async () => {
    const { id } = await createRepair(gateway);
    const { updateAssetRepair } = await ask(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "mill" }) { record { updatedAt history { nodes { at version } } } } }',
      { id },
    );
    const { updatedAt, history } = updateAssetRepair.record;
    expect(history.nodes).toEqual([
      { at: updatedAt, version: 2 },
      { at: expect.any(String), version: 1 },
    ]);
  });

  test('the answer to a change of many records shows each change, although all are read within one transaction', async () => {
    const { created } = await ask(
      `mutation ($inputs: [CreateAssetRepairInput!]!) {
        created: createManyAssetRepairs(inputs: $inputs) { records { history { complete nodes { version } } again: history { complete } } }
      }`,
      { inputs: [repairInput(), repairInput(), repairInput()] },
    );
    const whole = { history: { complete: true, nodes: [{ version: 1 }] }, again: { complete: true } };
    expect(created.records).toEqual([whole, whole, whole]);
  });

  test('it is read in pages, and still there when the document is gone', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    for (const asset of ['a', 'b', 'c', 'd']) await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset });
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    const page = async (after?: string) =>
      (
        await ask(
          'query ($id: ID!, $after: String) { history(id: $id, first: 2, after: $after) { nodes { action version changes { path } } pageInfo { hasNextPage hasPreviousPage endCursor } } }',
          { id, after },
        )
      ).history;
    const first = await page();
    expect(first.nodes.map((node: { action: string; version: number }) => [node.action, node.version])).toEqual([
      ['DELETE', 5],
      ['UPDATE', 5],
    ]);
    expect(first.nodes[0].changes.length).toBeGreaterThan(5);
    const second = await page(first.pageInfo.endCursor);
    expect(second.nodes.map((node: { version: number }) => node.version)).toEqual([4, 3]);
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const third = await page(second.pageInfo.endCursor);
    expect(third.nodes.map((node: { version: number }) => node.version)).toEqual([2, 1]);
    expect(third.pageInfo.hasNextPage).toBe(false);
    for (const none of ['first: 0', 'last: 0']) {
      const query = `query ($id: ID!) { history(id: $id, ${none}) { complete nodes { version } } }`;
      expect((await ask(query, { id })).history).toEqual({ complete: true, nodes: [] });
      expect((await ask(query, { id: 'asset-repair_unknown' })).history).toBeNull();
    }
  });

  test('it is read from either end, as lists are', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    for (const asset of ['a', 'b', 'c', 'd']) await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset });
    // The cursor of a version is made of its number. After the arguments: the versions, and whether newer and older ones are there.
    const pages: [string, number[], boolean, boolean][] = [
      ['', [5, 4, 3, 2, 1], false, false],
      ['(first: 2)', [5, 4], false, true],
      ['(first: 2, after: "4")', [3, 2], true, true],
      ['(last: 2)', [2, 1], true, false],
      ['(last: 9)', [5, 4, 3, 2, 1], false, false],
      ['(last: 2, before: "2")', [4, 3], true, true],
      ['(before: "2")', [5, 4, 3], false, true],
      ['(before: "5")', [], false, true],
      ['(first: 9, after: "5", before: "2")', [4, 3], true, false],
      ['(last: 1, after: "5", before: "2")', [3], true, true],
      ['(first: 4, last: 2)', [3, 2], true, true],
      ['(first: 9, last: 2)', [2, 1], true, false],
      ['(first: 3, last: 1, after: "4", before: "1")', [2], true, false],
      ['(first: 2, last: 2)', [5, 4], false, true],
      ['(first: 0)', [], false, true],
      ['(first: 0, after: "3")', [], true, true],
      ['(first: 0, after: "1")', [], true, false],
      ['(last: 0)', [], true, false],
      ['(last: 0, before: "3")', [], true, true],
      ['(last: 0, before: "5")', [], false, true],
      ['(first: 4, last: 0)', [], true, true],
      ['(first: 0, last: 0)', [], false, true],
    ];
    const page = '{ nodes { version } pageInfo { hasPreviousPage hasNextPage startCursor endCursor } }';
    const fields = pages.map(([args], index) => `page${index}: history${args} ${page}`);
    const { assetRepair } = await ask(`query ($id: ID!) { assetRepair(id: $id) { ${fields.join('\n')} } }`, { id });
    const found = pages.map(([args], index) => {
      const { nodes, pageInfo } = assetRepair[`page${index}`];
      const versions = nodes.map((node: { version: number }) => node.version);
      const ends = [versions.at(0), versions.at(-1)].map((each) => (each ? String(each) : null));
      expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual(ends);
      return [args, versions, pageInfo.hasPreviousPage, pageInfo.hasNextPage];
    });
    expect(found).toEqual(pages);
    const { body } = await gateway.graphql('query ($id: ID!) { history(id: $id, before: "x") { nodes { version } } }', {
      id,
    });
    expect(body.errors[0]?.extensions.errors).toMatchObject([{ param: 'before' }]);
  });

  test('a line of any parent that names a document of another type is no part of its history', async () => {
    const { id } = await createRepair(gateway, repairInput());
    const { status } = await gateway.rest('POST', '/api/accounts/sales-invoice-payment', {
      parent_id: id,
      parent_type: 'Asset Repair',
      mode_of_payment: 'Cash',
      amount: 5,
    });
    expect(status).toBe(201);
    const { history } = await ask('query ($id: ID!) { history(id: $id) { nodes { version changes { path } } } }', {
      id,
    });
    expect(history.nodes).toHaveLength(1);
  });

  test('the feed has all changes of the given types and actions', async () => {
    const feed = async (given: object) =>
      (
        await ask(
          `query ($after: String, $first: Int, $types: [RecordType!], $actions: [ChangeAction!]) {
          changes(after: $after, first: $first, types: $types, actions: $actions) { nodes { position type resource recordId documentId action version } position hasMore }
        }`,
          { ...given },
        )
      ).changes;
    const { last } = await gateway.journal.continuationOf(0);
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'x' });
    await gateway.rest('POST', '/api/crm/industry-type', { industry: `i-${database}` });
    const all = await feed({ after: String(last) });
    expect(all.nodes.map((node: Record<string, unknown>) => [node.type, node.resource, node.action])).toEqual([
      ['ASSET_REPAIR', 'asset-repair', 'CREATE'],
      ['ASSET_REPAIR_CONSUMED_ITEM', 'asset-repair-consumed-item', 'CREATE'],
      ['ASSET_REPAIR', 'asset-repair', 'UPDATE'],
      ['INDUSTRY_TYPE', 'industry-type', 'CREATE'],
    ]);
    const [first, , , end] = all.nodes.map(({ position }: { position: string }) => position);
    expect(all).toMatchObject({ position: end, hasMore: false });
    expect(all.nodes[1]).toMatchObject({ recordId: items[0], documentId: id });
    const some = await feed({
      after: String(last),
      types: ['ASSET_REPAIR', 'INDUSTRY_TYPE'],
      actions: ['CREATE'],
      first: 1,
    });
    expect(some).toMatchObject({ position: first, hasMore: true, nodes: [{ recordId: id }] });
    const rest = await feed({ after: some.position, types: ['ASSET_REPAIR', 'INDUSTRY_TYPE'], actions: ['CREATE'] });
    expect(rest).toMatchObject({ position: end, hasMore: false, nodes: [{ type: 'INDUSTRY_TYPE' }] });
    const often = await feed({
      after: String(last),
      actions: Array(1_000).fill('CREATE'),
      types: ['INDUSTRY_TYPE'],
    });
    expect(often).toMatchObject({ position: end, nodes: [{ type: 'INDUSTRY_TYPE' }] });
    const { body } = await gateway.graphql('query ($after: String) { changes(after: $after) { position } }', {
      after: String(Number(last) + 1e6),
    });
    expect(body.errors[0]).toMatchObject({ message: expect.stringContaining('is not a position of this journal') });
  });

  test('a key learns nothing of types that it may not read', async () => {
    const caller = await callerWith(gateway, 'crm:read');
    const { id } = await createRepair(gateway, repairInput());
    const { last } = await gateway.journal.continuationOf(0);
    const { changes } = await ask(
      'query ($after: String) { changes(after: $after, first: 100) { nodes { type } position } }',
      { after: '0' },
      { authorization: `Bearer ${caller.secret}` },
    );
    expect(new Set(changes.nodes.map(({ type }: { type: string }) => type))).toEqual(new Set(['INDUSTRY_TYPE']));
    expect(changes.position).toBe(String(last));
    for (const [query, variables] of [
      ['query ($id: ID!) { history(id: $id) { nodes { version } } }', { id }],
      ['{ changes(types: [INDUSTRY_TYPE, ASSET_REPAIR]) { nodes { position } } }', {}],
    ] as const) {
      const { body } = await caller.graphql(query, { ...variables });
      expect(body.errors?.[0].extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['assets:read'] });
    }
  });

  test('a key that may read nothing is refused, and a position below zero is none', async () => {
    const caller = await callerWith(gateway, 'assets:write', 'assets:delete');
    for (const query of ['{ changes { position } }', '{ changes(types: []) { position } }']) {
      const { body } = await caller.graphql(query);
      expect(body.data.changes).toBeNull();
      expect(body.errors[0].extensions).toMatchObject({
        code: 'FORBIDDEN',
        missingScopes: expect.arrayContaining(['assets:read', 'crm:read']),
      });
    }
    const { body } = await gateway.graphql(
      '{ a: changes(after: "-1") { position } b: changes(after: "0.5") { position } }',
    );
    for (const { message } of body.errors) expect(message).toMatch(/must be/);
  });

  test('a page holds no more versions than have a few thousand entries, but one in any case', async () => {
    const lines = Array.from({ length: 3_000 }, () => ({}));
    const create = `mutation ($input: CreateSubcontractingInwardOrderInput!) {
      made: createSubcontractingInwardOrder(input: $input) { record { id items { id } } } }`;
    const {
      made: { record: made },
    } = await ask(create, { input: { items: lines } });
    const save = `mutation ($id: ID!, $input: SaveSubcontractingInwardOrderInput!) {
      saveSubcontractingInwardOrder(id: $id, input: $input) { record { id } } }`;
    const items = made.items.map(({ id }: { id: string }) => ({ id, deliveryWarehouse: 'w' }));
    await ask(save, { id: made.id, input: { items } });
    const pages = `query ($id: ID!, $after: String) { history(id: $id, first: 2, after: $after) {
      nodes { version changes { recordId } } pageInfo { hasNextPage endCursor } } }`;
    const { history: newest } = await ask(pages, { id: made.id });
    expect(newest.nodes).toEqual([{ version: 2, changes: items.map(({ id }: { id: string }) => ({ recordId: id })) }]);
    expect(newest.pageInfo).toMatchObject({ hasNextPage: true });
    const { history: oldest } = await ask(pages, { id: made.id, after: newest.pageInfo.endCursor });
    expect(oldest.nodes).toMatchObject([{ version: 1 }]);
    expect(oldest.nodes[0].changes.length).toBeGreaterThan(3_000);
    expect(oldest.pageInfo).toMatchObject({ hasNextPage: false });
  });

  test('a history says whether it has every version', async () => {
    const complete = async (id: string) =>
      (await ask('query ($id: ID!) { history(id: $id, first: 1) { complete } }', { id })).history.complete;
    const settings = '{ currencyExchangeSettings { history { complete } } }';
    expect((await ask(settings)).currencyExchangeSettings.history.complete).toBe(true);
    const settingsPath = '/api/accounts/currency-exchange-settings/currency-exchange-settings_default';
    expect((await gateway.rest('PATCH', settingsPath, { disabled: true })).status).toBe(200);
    expect((await ask(settings)).currencyExchangeSettings.history.complete).toBe(true);
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'mill' });
    expect(await complete(id)).toBe(true);
    const torn = await createRepair(gateway, repairInput({ consumedItems: 3 }));
    for (const asset of ['1', '2', '3']) await gateway.rest('PATCH', `/api/assets/asset-repair/${torn.id}`, { asset });
    expect(await complete(torn.id)).toBe(true);
    await gateway.database.client.$executeRawUnsafe(
      `DELETE FROM "JournalEntry" WHERE "documentId" = '${torn.id}' AND "revision" = 3`,
    );
    expect(await complete(torn.id)).toBe(false);
    const { last } = await gateway.journal.continuationOf(0);
    await sweepJournal(gateway.database, { ...gateway.journal, heldAt: heldBy(() => last - 1) }, 1, {
      now: Date.now() + 10 * 24 * 60 * 60 * 1000,
    });
    expect(await complete(id)).toBe(false);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    expect(await complete(id)).toBe(false);
  });
});
