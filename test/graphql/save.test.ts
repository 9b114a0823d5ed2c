/** A document and its lines are saved together: one mutation, one transaction, one version. */
import { describe, expect, test } from 'vitest';
import type { DocumentedResource } from '../contract/document.js';
import { documentedFields, modelName, parentReference } from '../contract/documented-fields.js';
import { camel } from '../contract/graphql-names.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { plainValue } from '../contract/values.js';
import { ask } from './ask.js';
import { createRepair, repairInput } from './asset-repairs.js';
import { childLists } from './child-lists.js';
import { createParent, documented } from './records.js';

const save = `mutation ($id: ID!, $input: SaveAssetRepairInput!, $validateOnly: Boolean! = false) {
  saved: saveAssetRepair(id: $id, input: $input, validateOnly: $validateOnly) {
    record { id version asset repairCost consumedItems { id idx itemCode warehouse version } purchaseInvoices { idx } }
    changes { fields lines { list created updated moved deleted } }
  }
}`;

onBothDatabases((gateway, share) => {
  test('lines are kept, changed, moved, added and deleted as the list says, and the parent with them', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 4, purchaseInvoices: 2 }));
    const [first, second, third, fourth] = items;
    const { record, changes } = await saved(id, {
      asset: 'mill',
      repairCost: 12.5,
      consumedItems: [
        { id: third },
        { itemCode: 'new', warehouse: 'shed' },
        { id: second, warehouse: 'yard' },
        { id: fourth },
      ],
    });
    expect(record).toEqual({
      id,
      version: 2,
      asset: 'mill',
      repairCost: 12.5,
      consumedItems: [
        { id: third, idx: 1, itemCode: 'item 3', warehouse: 'main', version: 2 },
        {
          id: expect.stringMatching(/^asset-repair-consumed-item_/),
          idx: 2,
          itemCode: 'new',
          warehouse: 'shed',
          version: 1,
        },
        { id: second, idx: 3, itemCode: 'item 2', warehouse: 'yard', version: 2 },
        { id: fourth, idx: 4, itemCode: 'item 4', warehouse: 'main', version: 1 },
      ],
      purchaseInvoices: [{ idx: 1 }, { idx: 2 }],
    });
    expect(changes).toEqual({
      fields: ['repairCost', 'asset'],
      lines: [{ list: 'consumedItems', created: 1, updated: [second], moved: [third], deleted: [first] }],
    });
    expect(await stored(id)).toEqual(record);
  });

  test('several lists at once, in whatever order they are given', async () => {
    const { id } = await createRepair(gateway(), repairInput({ consumedItems: 1, purchaseInvoices: 1 }));
    const { record, changes } = await saved(id, {
      purchaseInvoices: [{ expenseAccount: 'a', repairCost: 1 }],
      consumedItems: [],
    });
    expect(record).toMatchObject({ version: 2, consumedItems: [], purchaseInvoices: [{ idx: 1 }] });
    expect(changes.lines).toMatchObject([
      { list: 'consumedItems', created: 0, deleted: [expect.any(String)] },
      { list: 'purchaseInvoices', created: 1, deleted: [expect.any(String)] },
    ]);
  });

  test('an empty list deletes the lines; a list left out leaves them alone', async () => {
    const { id } = await createRepair(gateway(), repairInput({ consumedItems: 3, purchaseInvoices: 2 }));
    const { record } = await saved(id, { consumedItems: [] });
    expect(record).toMatchObject({ consumedItems: [], purchaseInvoices: [{ idx: 1 }, { idx: 2 }] });
  });

  test('unchanged values are not written: lines keep their versions, and nothing counts as changed', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
    const same = { asset: 'lathe', consumedItems: items.map((item) => ({ id: item, warehouse: 'main' })) };
    const { record, changes } = await saved(id, same);
    expect(changes).toEqual({
      fields: [],
      lines: [{ list: 'consumedItems', created: 0, updated: [], moved: [], deleted: [] }],
    });
    expect(record.version).toBe(1);
    expect(record.consumedItems).toMatchObject([{ version: 1 }, { version: 1 }, { version: 1 }]);
  });

  test('null clears a field of the record and of a line, to its default where it has one', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
    const line = { id: items[0], valuationRate: 2.5, serialNo: 'S-1' };
    await saved(id, { repairCost: 5, downtime: '1 Hour', consumedItems: [line] });
    await saved(id, { repairCost: null, downtime: null, consumedItems: [{ id: items[0], serialNo: null }] });
    const query =
      'query ($id: ID!) { assetRepair(id: $id) { repairCost downtime consumedItems { valuationRate serialNo } } }';
    expect((await ask(gateway(), query, { id })).assetRepair).toEqual({
      repairCost: 0,
      downtime: null,
      consumedItems: [{ valuationRate: 2.5, serialNo: null }],
    });
  });

  test('numbers come back as they went in, whatever their size, from changed lines and new ones', async () => {
    const numbers = [0.1 + 0.2, 5e-324, 1.7976931348623157e308, -1.0987392948039692e278, 2 ** 53, -0.5, 2 ** 31];
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: numbers.length }));
    await saved(id, {
      consumedItems: [
        ...items.map((item, index) => ({ id: item, totalValue: numbers[index] })),
        ...numbers.map((totalValue) => ({ itemCode: 'new', warehouse: 'main', totalValue })),
      ],
    });
    const query = 'query ($id: ID!) { assetRepair(id: $id) { consumedItems { totalValue } } }';
    const { consumedItems } = (await ask(gateway(), query, { id })).assetRepair;
    expect(consumedItems.map(({ totalValue }: { totalValue: number }) => totalValue)).toEqual([...numbers, ...numbers]);
  });

  test('2,000 lines of 23 fields are changed, moved and added at once', async () => {
    const line = { activityType: 'work', hours: 1.5, billingRate: 80, isBillable: true, description: 'x' };
    const create =
      'mutation ($input: CreateTimesheetInput!) { t: createTimesheet(input: $input) { record { id details { id } } } }';
    const {
      t: { record: t },
    } = await ask(gateway(), create, { input: { details: Array.from({ length: 2000 }, () => line) } });
    const kept = t.details
      .reverse()
      .map(({ id }: { id: string }, index: number) => ({ id, hours: index, task: `${index}` }));
    const { saved: done } = await ask(
      gateway(),
      `mutation ($id: ID!, $input: SaveTimesheetInput!) { saved: saveTimesheet(id: $id, input: $input) {
        record { details { idx hours task activityType } } changes { lines { updated created } }
      } }`,
      { id: t.id, input: { details: [...kept, ...Array.from({ length: 1000 }, () => line)] } },
    );
    expect(done.changes.lines[0].updated).toHaveLength(2000);
    expect(done.changes.lines[0].created).toBe(1000);
    expect(done.record.details).toEqual([
      ...kept.map((_: unknown, index: number) => ({
        idx: index + 1,
        hours: index,
        task: `${index}`,
        activityType: 'work',
      })),
      ...Array.from({ length: 1000 }, (_, index) => ({
        idx: 2001 + index,
        hours: 1.5,
        task: null,
        activityType: 'work',
      })),
    ]);
  });

  test.each(share(childLists))('%s.%s: lines are saved with their parent', async (parent, field, child) => {
    const id = await createParent(gateway(), { ...documented(child), parent });
    const query = `mutation ($id: ID!, $input: Save${modelName(parent)}Input!) {
      saved: save${modelName(parent)}(id: $id, input: $input) { record { lines: ${field} { id idx } } }
    }`;
    const run = async (lines: object[]) =>
      (await ask(gateway(), query, { id, input: { [field]: lines } })).saved.record.lines.map(
        (line: { id: string }) => line.id,
      );
    const [one, two] = await run([newLine(documented(child)), newLine(documented(child))]);
    expect(await run([{ id: two }, newLine(documented(child)), { id: one }])).toEqual([two, expect.any(String), one]);
    expect(await run([])).toEqual([]);
  });

  test('a time log added by a save belongs to its job card by parentId and parentType', async () => {
    const create = 'mutation { card: createJobCard(input: {}) { record { id } } }';
    const card = (await ask(gateway(), create)).card.record;
    const { saved: done } = await ask(
      gateway(),
      `mutation ($id: ID!) { saved: saveJobCard(id: $id, input: { timeLogs: [{ employee: "E-1" }] }) {
        record { timeLogs { parentId parentType completedQty jobCard { id } } }
      } }`,
      { id: card.id },
    );
    expect(done.record.timeLogs).toEqual([
      { parentId: card.id, parentType: 'Job Card', completedQty: 0, jobCard: { id: card.id } },
    ]);
  });

  test('status in a save moves the document as submit and cancel do', async () => {
    const { id } = await createRepair(gateway());
    const query = `mutation ($id: ID!) {
      saveAssetRepair(id: $id, input: { status: SUBMITTED, consumedItems: [] }) { record { status allowedActions } changes { fields } }
    }`;
    expect((await ask(gateway(), query, { id })).saveAssetRepair).toEqual({
      record: { status: 'SUBMITTED', allowedActions: ['CANCEL'] },
      changes: { fields: ['status'] },
    });
  });

  describe('validateOnly', () => {
    test('reports what would happen and changes nothing', async () => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
      const before = await stored(id);
      const input = { asset: 'mill', consumedItems: [{ itemCode: 'new', warehouse: 'shed' }, { id: items[0] }] };
      const rehearsed = await saved(id, input, true);
      expect(rehearsed.record).toBeNull();
      expect(await stored(id)).toEqual(before);
      expect((await saved(id, input)).changes).toEqual(rehearsed.changes);
    });
  });

  async function saved(id: string, input: object, validateOnly = false) {
    return (await ask(gateway(), save, { id, input, validateOnly })).saved;
  }

  async function stored(id: string) {
    const query = `query ($id: ID!) { assetRepair(id: $id) {
      id version asset repairCost consumedItems { id idx itemCode warehouse version } purchaseInvoices { idx }
    } }`;
    return (await ask(gateway(), query, { id })).assetRepair;
  }
});

/** The R fields of a line, without those that follow from its place. */
function newLine(child: DocumentedResource): Record<string, unknown> {
  const place = [parentReference(child), 'parent_id', 'parent_type'];
  const given = documentedFields(child).filter(({ name, required }) => required && !place.includes(name));
  return Object.fromEntries(given.map((field) => [camel(field.name), plainValue(field)]));
}
