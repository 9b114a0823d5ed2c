/** Streams of changes at /graphql, as the client `graphql-sse` gets them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../../access/keys.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { type Stream, watch } from './watch.js';

const event = 'position notice action type recordId version fields deletedId leftId';
const withRecord = `${event} record { id ... on AssetRepair { asset version consumedItems { itemCode } } }`;

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  let gateway: TestGateway;
  const streams: Stream[] = [];
  const open = async (query: string, variables: Record<string, unknown> = {}) => {
    const stream = watch(gateway, query, variables);
    streams.push(stream);
    expect(await stream.next()).toMatchObject({ notice: 'OPENED', position: expect.any(Number) });
    return stream;
  };
  const write = async (mutation: string, variables: Record<string, unknown> = {}) => {
    const { body } = await gateway.graphql(mutation, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(async () => {
    for (const stream of streams) stream.stop();
    await gateway.close();
  });

  test('who has changed a record last can be filtered by, and is none of the changed fields', async () => {
    const { id } = await createRepair(gateway);
    const query = `subscription { assetRepairChanged(where: { updatedBy: { eq: "key:environment" } }) { ${event} } }`;
    const stream = await open(query);
    const mutation = 'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "mill" }) { record { id } } }';
    const changer = await callerWith(gateway, '*');
    expect((await changer.graphql(mutation, { id })).body.errors).toBeUndefined();
    expect(await stream.next()).toMatchObject({ leftId: id, fields: ['asset'] });
    await write(mutation.replace('mill', 'saw'), { id });
    expect(await stream.next()).toMatchObject({ recordId: id, leftId: null, fields: ['asset'] });
  });

  test('one record is sent as it is after each change, with its lines, and as deleted', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const stream = await open(`subscription ($id: ID!) { assetRepairChanged(id: $id) { ${withRecord} } }`, { id });
    await createRepair(gateway, repairInput({})); // of no concern
    await write('mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "mill" }) { record { id } } }', {
      id,
    });
    const update = await stream.next();
    expect(update).toMatchObject({
      ...{ notice: null, action: 'UPDATE', type: 'ASSET_REPAIR', recordId: id, version: 2, fields: ['asset'] },
      record: { id, asset: 'mill', version: 2, consumedItems: [{ itemCode: 'item 1' }, { itemCode: 'item 2' }] },
    });
    await write('mutation ($id: ID!) { deleteAssetRepairConsumedItem(id: $id) { deletedId } }', { id: items[0] });
    const ofLine = await stream.next();
    expect(ofLine).toMatchObject({ action: 'UPDATE', recordId: id, version: 3, fields: ['consumedItems'] });
    expect(ofLine.record).toMatchObject({ version: 3, consumedItems: [{ itemCode: 'item 2' }] });
    await write('mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });
    expect(await stream.next()).toMatchObject({ action: 'SUBMIT', version: 4, fields: ['status'] });
    await write(
      'mutation ($id: ID!) { cancelAssetRepair(id: $id) { record { id } } deleteAssetRepair(id: $id) { deletedId } }',
      {
        id,
      },
    );
    expect(await stream.next()).toMatchObject({ action: 'CANCEL' });
    expect(await stream.next()).toMatchObject({ action: 'DELETE', deletedId: id, record: null });
    expect(update.position).toBeLessThan(ofLine.position);
  });

  test('a record that no longer matches the filter is reported once, and records that never matched are not', async () => {
    const stream = await open(
      `subscription ($where: AssetRepairFilter) { assetRepairChanged(where: $where) { ${withRecord} } }`,
      { where: { asset: { eq: 'press' }, consumedItems: { some: { itemCode: { eq: 'item 1' } } } } },
    );
    const change = (id: string, asset: string) =>
      write(
        'mutation ($id: ID!, $asset: String!) { updateAssetRepair(id: $id, input: { asset: $asset }) { record { id } } }',
        {
          id,
          asset,
        },
      );
    const { id: outside } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1, asset: 'press' }));
    await change(outside, 'saw');
    expect(await stream.next()).toMatchObject({
      action: 'CREATE',
      recordId: id,
      leftId: null,
      record: { asset: 'press' },
    });
    await change(id, 'saw');
    expect(await stream.next()).toMatchObject({ action: 'UPDATE', recordId: id, leftId: id, record: null });
    await change(outside, 'press');
    expect(await stream.next()).toMatchObject({ recordId: outside, leftId: null, record: { id: outside } });
    await change(id, 'press');
    expect(await stream.next()).toMatchObject({ recordId: id, record: { id } });
    await write('mutation ($id: ID!) { deleteAssetRepairConsumedItem(id: $id) { deletedId } }', { id: items[0] });
    expect(await stream.next()).toMatchObject({ recordId: id, leftId: id, fields: ['consumedItems'] });
    await write('mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id: outside });
    expect(await stream.next()).toMatchObject({ action: 'DELETE', deletedId: outside });
  });

  test.each(['version: { eq: 1 }', 'updatedAt: { lte: $until }', 'not: { or: [{ version: { gt: 1 } }] }'])(
    'a record leaves a filter of what every change raises: %s',
    async (where) => {
      const { id } = await createRepair(gateway, repairInput({ asset: 'of its own' }));
      const { assetRepair } = await write('query ($id: ID!) { assetRepair(id: $id) { updatedAt } }', { id });
      const stream = await open(
        `subscription ($until: DateTime) { assetRepairChanged(where: { id: { ne: "" }, ${where} }) { ${event} } }`.replace(
          where.includes('$until') ? '' : '($until: DateTime)',
          '',
        ),
        where.includes('$until') ? { until: assetRepair.updatedAt } : {},
      );
      await write(
        'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { description: "late" }) { record { id } } }',
        { id },
      );
      expect(await stream.next()).toMatchObject({
        action: 'UPDATE',
        recordId: id,
        leftId: id,
        fields: ['description'],
      });
    },
  );

  test('a record leaves a filter that asks its lines for their parent again', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1, asset: 'asked again' }));
    const stream = await open(
      `subscription { assetRepairChanged(where: { consumedItems: { some: { assetRepair: { asset: { eq: "asked again" } } } } }) {
        ${event} } }`,
    );
    await write('mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "left" }) { record { id } } }', {
      id,
    });
    // Another change, so that a test of missing events need not wait.
    await createRepair(gateway, repairInput({ consumedItems: 1, asset: 'asked again' }));
    expect(await stream.next()).toMatchObject({ action: 'UPDATE', recordId: id, leftId: id });
  });

  test('lines and singletons have streams of their own; a filter of lines sees their parent', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const lines = await open(
      `subscription { assetRepairConsumedItemChanged(where: { itemCode: { startsWith: "B" }, assetRepair: { asset: { eq: "lathe" } } }) {
        ${event} record { ... on AssetRepairConsumedItem { itemCode assetRepair { asset } } } } }`,
    );
    const settings = await open(`subscription { subscriptionSettingsChanged { ${event} record { __typename id } } }`);
    await write(
      'mutation ($id: ID!) { updateAssetRepairConsumedItem(id: $id, input: { itemCode: "BELT" }) { record { id } } }',
      {
        id: items[0],
      },
    );
    expect(await lines.next()).toMatchObject({
      ...{ action: 'UPDATE', type: 'ASSET_REPAIR_CONSUMED_ITEM', recordId: items[0], fields: ['itemCode'], version: 2 },
      record: { itemCode: 'BELT', assetRepair: { asset: 'lathe' } },
    });
    await write('mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id });
    expect(await lines.next()).toMatchObject({ action: 'DELETE', deletedId: items[0], record: null });
    const { subscriptionSettings } = await write('query { subscriptionSettings { id prorate } }');
    await write(
      'mutation ($id: ID!, $is: Boolean!) { updateSubscriptionSettings(id: $id, input: { prorate: $is }) { record { id } } }',
      {
        id: subscriptionSettings.id,
        is: !subscriptionSettings.prorate,
      },
    );
    expect(await settings.next()).toMatchObject({
      recordId: subscriptionSettings.id,
      record: { id: subscriptionSettings.id },
    });
  });

  test('`changes` sends every record, or some types and actions', async () => {
    const all = await open(`subscription { changes { ${withRecord} } }`);
    const some = await open(
      `subscription ($types: [RecordType!]) { changes(types: $types, actions: [DELETE, SUBMIT]) { ${event} } }`,
      { types: ['ASSET_REPAIR', 'INDUSTRY_TYPE'] },
    );
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const first = await all.next();
    const second = await all.next();
    expect([first, second]).toMatchObject([
      { action: 'CREATE', type: 'ASSET_REPAIR', recordId: id, record: { asset: 'lathe' } },
      { action: 'CREATE', type: 'ASSET_REPAIR_CONSUMED_ITEM', recordId: items[0], record: { id: items[0] } },
    ]);
    expect(second.position).toBe(first.position + 1);
    await write('mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });
    expect(await some.next()).toMatchObject({ action: 'SUBMIT', recordId: id });
    const { createIndustryType } = await write(
      'mutation { createIndustryType(input: { industry: "Rails" }) { record { id } } }',
    );
    await write('mutation ($id: ID!) { deleteIndustryType(id: $id) { deletedId } }', {
      id: createIndustryType.record.id,
    });
    expect(await some.next()).toMatchObject({
      action: 'DELETE',
      type: 'INDUSTRY_TYPE',
      deletedId: createIndustryType.record.id,
    });
  });

  test('an event has the type of its record, and so has `record`', async () => {
    const own = await open('subscription { assetRepairChanged { position notice __typename record { asset } } }');
    const filtered = await open(
      `subscription { assetRepairChanged(where: { asset: { eq: "typed" } }) { position notice ...Of } }
       fragment Of on AssetRepairEvent { record { __typename name: asset } }`,
    );
    const lines = await open(
      'subscription { assetRepairConsumedItemChanged { position notice __typename record { itemCode assetRepair { asset } } } }',
    );
    const all = await open(
      `subscription { changes { position notice __typename
         ... on RecordEvent { ... on AssetRepairEvent { record { asset } } }
         ... on AssetRepairConsumedItemEvent { line: record { __typename itemCode } } ...Any } }
       fragment Any on RecordEvent { any: record { id ... on AssetRepair { asset } } }`,
    );
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1, asset: 'typed' }));
    expect(await own.next()).toMatchObject({ __typename: 'AssetRepairEvent', record: { asset: 'typed' } });
    expect(await filtered.next()).toMatchObject({ record: { __typename: 'AssetRepair', name: 'typed' } });
    expect(await lines.next()).toMatchObject({
      __typename: 'AssetRepairConsumedItemEvent',
      record: { itemCode: 'item 1', assetRepair: { asset: 'typed' } },
    });
    const [ofRepair, ofLine] = [await all.next(), await all.next()];
    expect(ofRepair).toEqual({
      ...{ position: ofRepair.position, notice: null, __typename: 'AssetRepairEvent' },
      ...{ record: { asset: 'typed' }, any: { id, asset: 'typed' } },
    });
    expect(ofLine).toEqual({
      ...{ position: ofLine.position, notice: null, __typename: 'AssetRepairConsumedItemEvent' },
      ...{ line: { __typename: 'AssetRepairConsumedItem', itemCode: 'item 1' }, any: { id: items[0] } },
    });
    const notice = watch(gateway, 'subscription { changes { __typename notice position } }', {});
    streams.push(notice);
    expect(await notice.next()).toMatchObject({ __typename: 'NoticeEvent', notice: 'OPENED' });
  });

  test('a position is a text, which `after` takes as it was given', async () => {
    const { id } = await createRepair(gateway, repairInput({}));
    const { body } = await gateway.graphql('{ changes(first: 1) { nodes { position } position } }');
    const { position } = body.data.changes;
    expect(position).toEqual(expect.stringMatching(/^\d+$/));
    const next = await gateway.graphql(
      'query ($after: String) { changes(after: $after, first: 100) { nodes { recordId } } }',
      { after: position },
    );
    expect(next.body.data.changes.nodes).toContainEqual({ recordId: id });
    const query = 'subscription ($after: String) { changes(after: $after) { position } }';
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query, variables: { after: position } }),
    });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toContain(`{"data":{"changes":{"position":"${position}"}}}`);
    for (const wrong of ['-1', '1.5', '1e3', ' 1', '', 'soon']) {
      const { errors } = (await gateway.graphql('query ($a: String) { changes(after: $a) { position } }', { a: wrong }))
        .body;
      expect(errors[0].message).toContain('must be a position that the gateway has given');
    }
  });

  test('aliases, fragments and conditions mean what they mean in a query', async () => {
    const stream = await open(
      `subscription S($with: Boolean = false, $no: Boolean!, $id: ID!) { ...Root }
       fragment Root on Subscription { told: assetRepairChanged(id: $id) { ...Event at: position ... @include(if: $with) { action } __typename } }
       fragment Event on RecordEvent { position notice record { ...Repair } same: record { ... on Node { id } } none: record @skip(if: $no) { id } }
       fragment Repair on AssetRepair { name: asset consumedItems(limit: 1) { itemCode } }
       query Other { __typename }`.replace('query Other { __typename }', ''),
      { no: true, id: (await createRepair(gateway, repairInput({ consumedItems: 2 }))).id },
    );
    const { assetRepairs } = await write('{ assetRepairs(first: 1) { nodes { id } } }');
    const [{ id }] = assetRepairs.nodes;
    await write('mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "mill" }) { record { id } } }', {
      id,
    });
    const told = await stream.next();
    expect(told).toEqual({
      ...{
        position: told.position,
        notice: null,
        at: `${told.position}`,
        __typename: 'AssetRepairEvent',
        same: { id },
      },
      record: { name: 'mill', consumedItems: [{ itemCode: 'item 1' }] },
    });
    expect(Object.keys(told)).toEqual(['position', 'notice', 'record', 'same', 'at', '__typename']);
  });

  test('a save of a document is one event; a refused, a tried and an unchanged write is none', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 3 }));
    const stream = await open(`subscription ($id: ID!) { assetRepairChanged(id: $id) { ${withRecord} } }`, { id });
    const save = (input: object, validateOnly = false) =>
      gateway.graphql(
        'mutation ($id: ID!, $input: SaveAssetRepairInput!, $validateOnly: Boolean!) { saveAssetRepair(id: $id, input: $input, validateOnly: $validateOnly) { changes { fields } } }',
        { id, input, validateOnly },
      );
    await save({ asset: 'tried' }, true);
    await save({ asset: 'lathe' });
    await save({ asset: 5 });
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { status: 'cancelled' });
    await save({
      asset: 'saved',
      consumedItems: [
        { itemCode: 'a', warehouse: 'w' },
        { itemCode: 'b', warehouse: 'w' },
      ],
    });
    const saved = await stream.next();
    expect(saved).toMatchObject({
      action: 'UPDATE',
      version: 2,
      record: { asset: 'saved', consumedItems: [{ itemCode: 'a' }, { itemCode: 'b' }] },
    });
    expect([...Object(saved.fields)].sort()).toEqual(['asset', 'consumedItems']);
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'by REST' });
    expect(await stream.next()).toMatchObject({ version: 3, record: { asset: 'by REST' } });
  });
});
