/** A wrong save reports every problem with its place, and changes nothing. */
import { describe, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, itemsOf, repairInput, upTo } from './asset-repairs.js';

const save = `mutation ($id: ID!, $input: SaveAssetRepairInput!, $version: Int, $validateOnly: Boolean! = false) {
  saved: saveAssetRepair(id: $id, input: $input, expectedVersion: $version, validateOnly: $validateOnly) {
    changes { fields }
  }
}`;

onDatabaseInTurn(import.meta.filename, (gateway) => {
  describe.each([
    ['a save', false],
    ['a dry run', true],
  ])('%s', (_, validateOnly) => {
    test('names every wrong line at once, also what only the database knows', async () => {
      const other = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2, purchaseInvoices: 1 }));
      const input = {
        asset: 'mill',
        consumedItems: [
          { id: items[1] },
          { id: 'asset-repair-consumed-item_unknown' },
          { itemCode: 'new' },
          { id: other.items[0], warehouse: 'shed' },
          { id: items[1], warehouse: 'shed' },
        ],
        purchaseInvoices: [{}],
      };
      const { extensions } = await refusal(gateway(), save, { id, input, validateOnly });
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'resource_missing' });
      expect(extensions.errors).toEqual([
        problem('input.consumedItems[1].id', 'resource_missing', /names no line of this Asset Repair/),
        problem('input.consumedItems[2].warehouse', 'parameter_missing', /is required of a new line/),
        problem('input.consumedItems[3].id', 'resource_missing', /names no line of this Asset Repair/),
        problem('input.consumedItems[4].id', 'parameter_invalid', /the same line as `consumedItems\[0\]`/),
        problem('input.purchaseInvoices[0].expenseAccount', 'parameter_missing', /is required of a new line/),
        problem('input.purchaseInvoices[0].repairCost', 'parameter_missing', /is required of a new line/),
      ]);
      expect(await state(id)).toEqual({ version: 1, asset: 'lathe', items: ['item 1', 'item 2'] });
    });

    test('names every value of the wrong form, before anything is looked up', async () => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      const input = {
        asset: null,
        colour: 'red',
        consumedItems: [
          { id: items[0], itemCode: null, totalValue: '5' },
          { idx: 1, assetRepairId: id },
        ],
        purchaseInvoices: null,
      };
      const { extensions } = await refusal(gateway(), save, { id, input, validateOnly });
      expect(extensions.errors.map(({ param, code }: { param: string; code: string }) => [param, code])).toEqual([
        ['input.asset', 'parameter_invalid'],
        ['input.consumedItems[0].totalValue', 'parameter_invalid'],
        ['input.consumedItems[0].itemCode', 'parameter_invalid'],
        ['input.consumedItems[1].idx', 'parameter_unknown'],
        ['input.consumedItems[1].assetRepairId', 'parameter_unknown'],
        ['input.purchaseInvoices', 'parameter_invalid'],
        ['input.colour', 'parameter_unknown'],
      ]);
    });

    test('says for a null what to send: an existing line can keep its value, a new one has none', async () => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      const input = {
        asset: null,
        consumedItems: [
          { id: items[0], itemCode: null },
          { itemCode: null, warehouse: 'main' },
          { id: null, itemCode: 'x', warehouse: null },
        ],
        purchaseInvoices: [{ expenseAccount: null, repairCost: null }],
      };
      const { extensions } = await refusal(gateway(), save, { id, input, validateOnly });
      const told = extensions.errors.map(({ param, message }: { param: string; message: string }) => [param, message]);
      const keep = 'cannot be null; send a string, or leave it out to keep its value.';
      const anew = (kind: string) => `cannot be null; a new line needs it: send ${kind}.`;
      expect(Object.fromEntries(told)).toEqual(
        Object.fromEntries(
          [
            ['input.asset', keep],
            ['input.consumedItems[0].itemCode', keep],
            ['input.consumedItems[1].itemCode', anew('a string')],
            ['input.consumedItems[2].warehouse', anew('a string')],
            ['input.purchaseInvoices[0].expenseAccount', anew('a string')],
            ['input.purchaseInvoices[0].repairCost', anew('a number')],
          ].map(([param, message]) => [param, `\`${param}\` ${message}`]),
        ),
      );
    });

    test('says the same for a null in the text of the operation', async () => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      const lines = `{ id: "${items[0]}", itemCode: null }, { itemCode: null, warehouse: "main" }`;
      const literal = `mutation { saveAssetRepair(id: "${id}", validateOnly: ${validateOnly}, input: { consumedItems: [${lines}] }) { changes { fields } } }`;
      const { extensions } = await refusal(gateway(), literal);
      const [kept, anew] = extensions.errors;
      expect(kept.message).toMatch(/send a string, or leave it out to keep its value\.$/);
      expect(anew.message).toMatch(/a new line needs it: send a string\.$/);
    });

    test('is refused at another version than the one expected', async () => {
      const { id } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      const { extensions } = await refusal(gateway(), save, {
        id,
        input: { consumedItems: [] },
        version: 2,
        validateOnly,
      });
      expect(extensions).toMatchObject({ code: 'VERSION_CONFLICT', currentVersion: 1 });
      expect(await state(id)).toEqual({ version: 1, asset: 'lathe', items: ['item 1'] });
    });

    test('of a record that is not there is NOT_FOUND', async () => {
      const { extensions } = await refusal(gateway(), save, { id: 'asset-repair_unknown', input: {}, validateOnly });
      expect(extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'resource_missing' });
    });

    test('into a state the record cannot reach is INVALID_STATE', async () => {
      const { id } = await createRepair(gateway());
      const { extensions } = await refusal(gateway(), save, { id, input: { status: 'CANCELLED' }, validateOnly });
      expect(extensions).toMatchObject({ code: 'INVALID_STATE', currentState: 'DRAFT', allowedActions: ['SUBMIT'] });
    });

    test('keeps what settings must keep once set', async () => {
      const query = `mutation ($input: SaveCurrencyExchangeSettingsInput!, $validateOnly: Boolean!) {
        saveCurrencyExchangeSettings(id: "currency-exchange-settings_default", input: $input, validateOnly: $validateOnly) {
          changes { fields }
        }
      }`;
      const input = { apiEndpoint: null, details: [{ key: 'from' }] };
      const { extensions } = await refusal(gateway(), query, { input, validateOnly });
      expect(extensions.errors).toMatchObject([
        { param: 'input.apiEndpoint', code: 'parameter_invalid' },
        { param: 'input.details[0].value', code: 'parameter_missing' },
      ]);
    });
  });

  test('50 problems are listed, and how many more there are', async () => {
    const { id } = await createRepair(gateway());
    const { extensions } = await refusal(gateway(), save, { id, input: { consumedItems: upTo(60).map(() => ({})) } });
    expect(extensions.errors).toHaveLength(51);
    expect(extensions.errors[50]).toEqual({
      param: '',
      code: 'parameter_missing',
      message: expect.stringMatching(/^The input has \d+ more problems, which are not listed\.$/),
      more: expect.any(Number),
    });
  });

  test('more lines than a record may be given are refused before they are looked at', async () => {
    const { id } = await createRepair(gateway());
    const { extensions } = await refusal(gateway(), save, { id, input: { consumedItems: upTo(5001).map(() => ({})) } });
    expect(extensions.errors).toMatchObject([{ param: 'input.consumedItems', code: 'parameter_invalid' }]);
  });

  test('a fault while the lines are written leaves everything as it was', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
    // The model knows no unique codes; this database gets a rule that the last line breaks.
    const { client } = gateway().database;
    await client.$executeRawUnsafe(
      'CREATE UNIQUE INDEX "only_here" ON "AssetRepairConsumedItem" ("assetRepairId", "itemCode", "warehouse")',
    );
    try {
      const consumedItems = [
        { id: items[1], itemCode: 'changed' },
        { id: items[0] },
        { itemCode: 'new', warehouse: 'main' },
        { itemCode: 'new', warehouse: 'main' },
      ];
      const { extensions } = await refusal(gateway(), save, { id, input: { asset: 'mill', consumedItems } });
      expect(extensions.code).toBe('INTERNAL_SERVER_ERROR');
      expect(await state(id)).toEqual({ version: 1, asset: 'lathe', items: ['item 1', 'item 2', 'item 3'] });
    } finally {
      await client.$executeRawUnsafe('DROP INDEX "only_here"');
    }
  });

  test('of two saves at the same version one is made and the other is refused as a conflict', async () => {
    const { id } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
    const input = (code: string) => ({ consumedItems: [{ itemCode: code, warehouse: 'main' }] });
    const answers = await Promise.all(
      upTo(5).map((number) => gateway().graphql(save, { id, input: input(`by ${number}`), version: 1 })),
    );
    const codes = answers.map(({ body }) => body.errors?.[0].extensions.code);
    expect(codes.filter((code) => code === 'VERSION_CONFLICT')).toHaveLength(4);
    expect(await state(id)).toMatchObject({ version: 2, items: [`by ${codes.indexOf(undefined) + 1}`] });
  });

  test('saves of one record at once leave one of the lists whole, numbered without gaps', async () => {
    const { id } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
    await Promise.all(
      upTo(5).map((number) =>
        ask(gateway(), save, {
          id,
          input: { consumedItems: upTo(number).map(() => ({ itemCode: `by ${number}`, warehouse: 'main' })) },
        }),
      ),
    );
    const { version, items } = await state(id);
    expect(version).toBe(6);
    expect(items).toEqual(upTo(items.length).map(() => `by ${items.length}`));
  });

  async function state(id: string) {
    const query = 'query ($id: ID!) { assetRepair(id: $id) { version asset } }';
    return { ...(await ask(gateway(), query, { id })).assetRepair, items: await itemsOf(gateway(), id) };
  }
});

function problem(param: string, code: string, message: RegExp) {
  return { param, code, message: expect.stringMatching(message) };
}
