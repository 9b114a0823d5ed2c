/** Documents have a state, the actions that it allows, and a title besides their fields. */
import { describe, expect, test } from 'vitest';
import { type DocumentedResource, documentedResources, documentLike } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { mutationOf, oneOf } from '../contract/graphql-names.js';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRecord, documented } from './records.js';

const documents = documentLike.map((title): [string, DocumentedResource] => [title, documented(title)]);

onDatabaseInTurn(import.meta.filename, (gateway) => {
  test.each(documents)('%s: allowedActions lead from draft to submitted to cancelled', async (_, resource) => {
    const { id, status, allowedActions } = await createRecord(gateway(), resource);
    expect([status, allowedActions]).toEqual(['DRAFT', ['SUBMIT']]);
    for (const [action, expected] of [
      ['submit', { status: 'SUBMITTED', allowedActions: ['CANCEL'] }],
      ['cancel', { status: 'CANCELLED', allowedActions: [] }],
    ] as const) {
      const query = `mutation ($id: ID!) { moved: ${mutationOf(action, resource)}(id: $id) { record { status allowedActions } } }`;
      expect((await ask(gateway(), query, { id })).moved.record).toEqual(expected);
      const read = `query ($id: ID!) { record: ${oneOf(resource)}(id: $id) { allowedActions } }`;
      expect((await ask(gateway(), read, { id })).record.allowedActions).toEqual(expected.allowedActions);
    }
  });

  test('no other type has them, not even Serial No with its free status', async () => {
    const others = documentedResources.filter(({ title }) => !documentLike.includes(title));
    for (const resource of others) {
      const query = `{ type: __type(name: "${modelName(resource.title)}") { fields { name } } }`;
      const names = (await ask(gateway(), query)).type.fields.map(({ name }: { name: string }) => name);
      expect(names).not.toContain('allowedActions');
      expect(names).toContain('displayTitle');
    }
    const record = await createRecord(gateway(), documented('Serial No'), { status: 'Active' });
    expect(record.status).toBe('Active');
  });

  describe('what the state forbids is refused, with the state and what it allows', () => {
    test.each([
      ['cancel', 'DRAFT', { currentState: 'DRAFT', expectedState: 'SUBMITTED', allowedActions: ['SUBMIT'] }],
      ['submit', 'SUBMITTED', { currentState: 'SUBMITTED', expectedState: 'DRAFT', allowedActions: ['CANCEL'] }],
      ['submit', 'CANCELLED', { currentState: 'CANCELLED', expectedState: 'DRAFT', allowedActions: [] }],
      ['cancel', 'CANCELLED', { currentState: 'CANCELLED', expectedState: 'SUBMITTED', allowedActions: [] }],
    ] as const)('%s of a record that is %s', async (action, state, details) => {
      const id = await inState(state);
      const mutation = `mutation ($id: ID!) { ${action}AssetRepair(id: $id) { record { id } } }`;
      expect((await refusal(gateway(), mutation, { id })).extensions).toEqual({
        code: 'INVALID_STATE',
        reason: 'invalid_state',
        ...details,
      });
      expect(await stateOf(id)).toBe(state);
    });
  });

  describe('writing `status` follows the same rules', () => {
    test.each([
      ['DRAFT', 'SUBMITTED', 'SUBMITTED'],
      ['SUBMITTED', 'CANCELLED', 'CANCELLED'],
      ['SUBMITTED', 'SUBMITTED', 'SUBMITTED'],
      ['DRAFT', null, 'DRAFT'],
    ] as const)('from %s to %s', async (state, status, expected) => {
      const id = await inState(state);
      expect((await ask(gateway(), update, { id, status })).updateAssetRepair.record).toEqual({ status: expected });
    });

    test.each([
      ['DRAFT', 'CANCELLED', 'INVALID_STATE'],
      ['SUBMITTED', 'DRAFT', 'INVALID_STATE'],
      ['SUBMITTED', null, 'INVALID_STATE'],
      ['CANCELLED', 'SUBMITTED', 'INVALID_STATE'],
      ['DRAFT', 'on hold', 'BAD_USER_INPUT'],
    ] as const)('not from %s to %s', async (state, status, code) => {
      const id = await inState(state);
      expect((await refusal(gateway(), update, { id, status })).extensions.code).toBe(code);
      expect(await stateOf(id)).toBe(state);
    });

    test('a record is created as a draft, and as nothing else', async () => {
      const create = `mutation ($status: DocumentStatus) {
        record: createAssetRepair(input: { failureDate: "today", asset: "lathe", status: $status }) { record { status } }
      }`;
      expect((await ask(gateway(), create, { status: 'DRAFT' })).record.record.status).toBe('DRAFT');
      expect((await ask(gateway(), create, { status: null })).record.record.status).toBe('DRAFT');
      for (const [status, param] of [
        ['SUBMITTED', 'input.status'],
        ['CANCELLED', 'input.status'],
        ['draft', 'status'],
        ['', 'status'],
      ]) {
        expect((await refusal(gateway(), create, { status })).extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          errors: [{ param, code: 'parameter_invalid' }],
        });
      }
    });

    const update =
      'mutation ($id: ID!, $status: DocumentStatus) { updateAssetRepair(id: $id, input: { status: $status }) { record { status } } }';
  });

  describe('displayTitle', () => {
    test.each([
      ['Subcontracting Order', { supplierName: 'ACME' }, '{supplier_name}', 'ACME'],
      ['Subcontracting Inward Order', { customerName: 'Wayne' }, '{customer_name}', 'Wayne'],
      ['Timesheet', { employeeName: 'Ada' }, '{employee_name}', 'Ada'],
      [
        'Timesheet',
        { employeeName: 'Ada', company: 'ACME', title: '{company}: {employee_name}!' },
        undefined,
        'ACME: Ada!',
      ],
      ['Timesheet', { title: 'January {no_such_field} {' }, undefined, 'January {no_such_field} {'],
      ['Timesheet', { employeeName: '{company}', company: 'ACME' }, '{employee_name}', '{company}'],
      ['Signing Document', { title: 'Contract' }, 'Contract', 'Contract'],
      ['Timesheet', { title: null, employee: 'E-1', user: 'ada' }, undefined, 'E-1'],
      ['Quotation', { partyName: 'C-1' }, undefined, 'C-1'],
      ['Quotation', { partyName: 'C-1', customerName: 'ACME' }, undefined, 'ACME'],
      ['Asset Repair', { asset: 'A-1' }, undefined, 'A-1'],
      ['Asset Repair', { asset: 'A-1', assetName: 'Lathe' }, undefined, 'Lathe'],
      ['Job Card', { operation: 'Welding', itemName: ' ', productionItem: 'PUMP' }, undefined, 'Welding · PUMP'],
      ['Job Card', { workOrder: 'WO-1' }, undefined, 'WO-1'],
    ])('of %s with %o is filled in from the record', async (title, more, stored, shown) => {
      const record = await createRecord(gateway(), documented(title), more);
      expect(record.displayTitle).toBe(shown);
      if (stored) expect(record.title).toBe(stored);
    });

    test.each([
      ['Timesheet', {}],
      ['Timesheet', { employeeName: '  ' }],
      ['Quotation', {}],
      ['Job Card', {}],
    ])('of %s with %o is its id, where nothing fills it', async (title, more) => {
      const record = await createRecord(gateway(), documented(title), more);
      expect(record.displayTitle).toBe(record.id);
    });

    test('is there for records in a list, asked for alone', async () => {
      const query = '{ timesheets(first: 1) { nodes { displayTitle } } }';
      await createRecord(gateway(), documented('Timesheet'), { employeeName: 'Grace' });
      expect((await ask(gateway(), query)).timesheets.nodes).toEqual([{ displayTitle: 'Grace' }]);
    });
  });

  async function inState(state: 'DRAFT' | 'SUBMITTED' | 'CANCELLED'): Promise<string> {
    const { id } = await createRecord(gateway(), documented('Asset Repair'));
    const steps = { DRAFT: [], SUBMITTED: ['submit'], CANCELLED: ['submit', 'cancel'] }[state];
    for (const step of steps)
      await ask(gateway(), `mutation ($id: ID!) { ${step}AssetRepair(id: $id) { record { id } } }`, { id });
    return id;
  }

  async function stateOf(id: string): Promise<string> {
    return (await ask(gateway(), 'query ($id: ID!) { assetRepair(id: $id) { status } }', { id })).assetRepair.status;
  }
});
