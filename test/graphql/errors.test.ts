/** Errors of GraphQL: `extensions` with code, reason, and every wrong value by its camelCase name. */
import { beforeAll, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, repairInput } from './asset-repairs.js';

onBothDatabases((gateway) => {
  let repair: { id: string; items: string[] };
  let other: { id: string; items: string[] };

  beforeAll(async () => {
    repair = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
    other = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
  });

  const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
  const createItem =
    'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }';
  const updateItem = `mutation ($id: ID!, $input: UpdateAssetRepairConsumedItemInput!) {
    updateAssetRepairConsumedItem(id: $id, input: $input) { record { id } }
  }`;
  const reorder =
    'mutation ($id: ID!, $ids: [ID!]) { reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { id } } }';

  describe('BAD_USER_INPUT', () => {
    test('every problem of a variable, each with its name', async () => {
      const input = {
        asset: 5,
        repairCost: 'dear',
        increaseInAssetLife: 1.5,
        capitalizeRepairCost: 'yes',
        repairCosts: 1,
        company: '\u0000',
        consumedItems: [{ warehouse: 'main' }, 'no line'],
      };
      const { extensions, message } = await refusal(gateway(), create, { input });
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'parameter_missing' });
      expect(extensions.errors.map(({ param, code }: { param: string; code: string }) => [param, code])).toEqual([
        ['input.failureDate', 'parameter_missing'],
        ['input.repairCost', 'parameter_invalid'],
        ['input.asset', 'parameter_invalid'],
        ['input.capitalizeRepairCost', 'parameter_invalid'],
        ['input.increaseInAssetLife', 'parameter_invalid'],
        ['input.company', 'parameter_invalid'],
        ['input.consumedItems[0].itemCode', 'parameter_missing'],
        ['input.consumedItems[1]', 'parameter_invalid'],
        ['input.repairCosts', 'parameter_unknown'],
      ]);
      expect(message).toBe(extensions.errors[0].message);
      expect(extensions.errors.at(-1).message).toContain('did you mean `repairCost`?');
    });

    test('a null for what is required: each says what to send', async () => {
      const input = { asset: null, failureDate: 'x', consumedItems: [{ itemCode: null, warehouse: 'main' }] };
      const purchaseInvoices = [{ expenseAccount: 'x', repairCost: null }];
      const { extensions } = await refusal(gateway(), create, { input: { ...input, purchaseInvoices } });
      const anew = (param: string, kind: string) => `\`${param}\` is required and cannot be null; send ${kind}.`;
      expect(extensions.errors.map(({ message }: { message: string }) => message)).toEqual([
        anew('input.asset', 'a string'),
        anew('input.consumedItems[0].itemCode', 'a string'),
        anew('input.purchaseInvoices[0].repairCost', 'a number'),
      ]);

      const base = '/api/assets/asset-repair';
      const created = await gateway().rest('POST', base, { asset: null, failure_date: 'x' });
      expect(created.body.error.message).toBe(anew('asset', 'a string'));
      const { id } = await createRepair(gateway());
      const changed = await gateway().rest('PATCH', `${base}/${id}`, { asset: null });
      const keep = '`asset` cannot be null; send a string, or leave it out to keep its value.';
      expect(changed.body.error.message).toBe(keep);
      const settings = await gateway().rest(
        'PATCH',
        '/api/accounts/currency-exchange-settings/currency-exchange-settings_default',
        {
          api_endpoint: null,
        },
      );
      expect(settings.body.error.message).toMatch(/cannot be set to null; send a string, or leave it out/);
    });

    test.each([
      [
        'a literal out of range',
        'createAssetRepair(input: { failureDate: "a", asset: "b", repairCost: 1e999 }) { record { id } }',
        'input.repairCost',
      ],
      [
        'a literal with U+0000',
        'createAssetRepair(input: { failureDate: "\\u0000", asset: "b" }) { record { id } }',
        'input.failureDate',
      ],
      ['null for an R field', 'updateAssetRepair(id: "x", input: { asset: null }) { record { id } }', 'input.asset'],
    ])('%s', async (_, call, param) => {
      const error = await refusal(gateway(), `mutation { ${call} }`);
      expect(error.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        reason: 'parameter_invalid',
        errors: [{ param, code: 'parameter_invalid', message: error.message }],
      });
      expect(error.path).toEqual([call.slice(0, call.indexOf('('))]);
    });

    test('a variable that is left out, and one that is null', async () => {
      const query = 'query ($id: ID!) { assetRepair(id: $id) { id } }';
      expect((await refusal(gateway(), query)).extensions).toMatchObject({
        reason: 'parameter_missing',
        errors: [{ param: 'id', code: 'parameter_missing' }],
      });
      expect((await refusal(gateway(), query, { id: null })).extensions).toMatchObject({
        reason: 'parameter_invalid',
        errors: [{ param: 'id', code: 'parameter_invalid' }],
      });
    });

    test('parameter_immutable: a line keeps its parent', async () => {
      const { extensions } = await refusal(gateway(), updateItem, {
        id: repair.items[0],
        input: { assetRepairId: other.id },
      });
      expect(extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        reason: 'parameter_immutable',
        errors: [{ param: 'input.assetRepairId', code: 'parameter_immutable' }],
      });
    });

    test('resource_missing: the parent of a new line, and of a new order', async () => {
      const input = { assetRepairId: 'asset-repair_unknown', itemCode: 'bolt', warehouse: 'main' };
      expect((await refusal(gateway(), createItem, { input })).extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        reason: 'resource_missing',
        errors: [{ param: 'input.assetRepairId', code: 'resource_missing' }],
      });
      expect((await refusal(gateway(), reorder, { id: 'asset-repair_unknown', ids: [] })).extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        reason: 'resource_missing',
        errors: [{ param: 'parentId', code: 'resource_missing' }],
      });
    });

    test('reorder_mismatch: which lines are missing and which do not belong', async () => {
      const [one, two, three] = repair.items;
      const { extensions } = await refusal(gateway(), reorder, {
        id: repair.id,
        ids: [two, one, two, other.items[0], 'nonsense'],
      });
      expect(extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        reason: 'reorder_mismatch',
        errors: [
          {
            param: 'ids',
            code: 'reorder_mismatch',
            missing: [three],
            unexpected: [two, other.items[0], 'nonsense'],
            // `userErrors` have no such lists.
            message: `\`ids\` must name every line of the parent exactly once; it names "${two}" and 2 more, not among them or named before; it lacks "${three}".`,
          },
        ],
      });
    });
  });

  test.each([
    ['updateAssetRepair(id: $id, input: {}) { record { id } }', 'Asset Repair'],
    ['deleteAssetRepair(id: $id) { deletedId }', 'Asset Repair'],
    ['submitAssetRepair(id: $id) { record { id } }', 'Asset Repair'],
    ['cancelAssetRepair(id: $id) { record { id } }', 'Asset Repair'],
    ['updateAssetRepairConsumedItem(id: $id, input: {}) { record { id } }', 'Asset Repair Consumed Item'],
    ['deleteAssetRepairConsumedItem(id: $id) { deletedId }', 'Asset Repair Consumed Item'],
  ])('NOT_FOUND: %s', async (call, title) => {
    const error = await refusal(gateway(), `mutation ($id: ID!) { ${call} }`, { id: 'un"known' });
    expect(error).toMatchObject({
      message: `No ${title} has the id "un\\"known".`,
      path: [call.slice(0, call.indexOf('('))],
      extensions: { code: 'NOT_FOUND', reason: 'resource_missing' },
    });
  });

  test('IDEMPOTENCY_CONFLICT: a key that belongs to another mutation', async () => {
    const headers = { 'Idempotency-Key': 'one-for-both' };
    await gateway().graphql(create, { input: repairInput() }, headers);
    const { body } = await gateway().graphql(create, { input: repairInput({ asset: 'mill' }) }, headers);
    const code = 'IDEMPOTENCY_CONFLICT';
    expect(body.errors[0].extensions).toMatchObject({ code, reason: 'idempotency_key_reused' });
  });

  test('QUERY_TOO_COMPLEX: an operation that is nested too deep', async () => {
    const query = `{ assetRepairs { nodes ${'{ consumedItems { assetRepair '.repeat(150)}{ id } ${'} }'.repeat(150)} } }`;
    expect((await refusal(gateway(), query)).extensions).toEqual({
      code: 'QUERY_TOO_COMPLEX',
      reason: 'query_too_complex',
      measure: 'brackets',
      limit: 200,
    });
  });

  test('several mutations of one operation fail each for itself', async () => {
    const query = `mutation ($id: ID!) {
      good: updateAssetRepair(id: $id, input: { downtime: "1 Hour" }) { record { downtime } }
      bad: updateAssetRepair(id: "unknown", input: {}) { record { id } }
    }`;
    const { body } = await gateway().graphql(query, { id: repair.id });
    expect(body.data).toEqual({ good: { record: { downtime: '1 Hour' } }, bad: null });
    expect(body.errors).toMatchObject([{ path: ['bad'], extensions: { code: 'NOT_FOUND' } }]);
    const { assetRepair } = await ask(gateway(), 'query ($id: ID!) { assetRepair(id: $id) { downtime } }', {
      id: repair.id,
    });
    expect(assetRepair.downtime).toBe('1 Hour');
  });
});

describe('a fault of the gateway', () => {
  onBothDatabases(
    (gateway) => {
      test('is masked, and its cause logged under the request id', async () => {
        await gateway().database.client.$executeRawUnsafe('DROP TABLE "IndustryType"');
        const query = `{ bad: node(id: "industry-type_${'0'.repeat(26)}") { id } good: uomCategories { totalCount } }`;
        const { body, headers, text } = await gateway().graphql(query);
        expect(body.data).toEqual({ bad: null, good: { totalCount: 0 } });
        expect(body.errors).toEqual([
          {
            message: 'Something went wrong in the gateway. Its log has the cause, under the request id.',
            path: ['bad'],
            locations: [{ line: 1, column: 3 }],
            extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'internal', requestId: headers.get('x-request-id') },
          },
        ]);
        expect(text).not.toMatch(/prisma|select|table|IndustryType|\.ts|stack/i);

        const requestId = headers.get('x-request-id');
        const causes = gateway()
          .logLines.map((line) => JSON.parse(line))
          .filter((line) => line.requestId === requestId && line.level === 'error');
        expect(causes).toHaveLength(1);
        expect(causes[0]).toMatchObject({ path: ['bad'] });
        expect(JSON.stringify(causes[0].err)).toMatch(/IndustryType/);
      });

      test('is UNAVAILABLE where the database does not answer, and says to try again', async () => {
        await ask(gateway(), '{ __typename }');
        await gateway().database.close();
        const { body, headers } = await gateway().graphql('{ uomCategories { totalCount } }');
        expect(body.errors).toMatchObject([
          {
            message: 'The database cannot be reached. Try again in a moment.',
            extensions: { code: 'UNAVAILABLE', reason: 'database_unavailable' },
          },
        ]);
        // The cause once, and then each request in a line without it.
        const ids = [headers.get('x-request-id')];
        for (let times = 0; times < 3; times++) {
          ids.push((await gateway().graphql('{ uomCategories { totalCount } }')).headers.get('x-request-id'));
          ids.push((await gateway().rest('GET', '/api/crm/industry-type')).headers.get('x-request-id'));
        }
        const lines = gateway().logLines.map((line) => JSON.parse(line));
        const failures = ids.map((id) => lines.find(({ requestId, msg }) => requestId === id && msg !== 'request'));
        // Another gateway in the same process, of this test or of one before, may have told it in the minute before.
        if (failures[0]?.level !== 'warn')
          expect(failures[0]).toMatchObject({ level: 'error', err: { type: expect.any(String) } });
        expect(failures.slice(1).map(({ level, err }) => [level, err])).toEqual(
          ids.slice(1).map(() => ['warn', undefined]),
        );
      });
    },
    { own: true },
  );
});
