import { expect } from 'vitest';
import { shareOf } from '../support/database.js';
import type { ClauseTests } from './clause.js';
import { documentedResources, documentLike } from './document.js';
import { documentedFields, modelName } from './documented-fields.js';
import { each } from './each.js';
import { create, documented, type RecordBody, type Rest } from './records.js';

const resources = documentLike.map(documented);
/** For what is the same code for all ten. */
const several = ['Asset Repair', 'Subcontracting Order', 'Quotation'].map(documented);
const repair = documented('Asset Repair');

/** Section 3: states and transitions. */
export const states: ClauseTests = (clause) => {
  clause('S3-01', async (gateway) => {
    const carrying = documentedResources.filter((resource) =>
      documentedFields(resource).some(({ name, default: initial }) => name === 'status' && initial === 'draft'),
    );
    expect(carrying.map(({ title }) => title)).toEqual(expect.arrayContaining(documentLike));
    expect(carrying).toHaveLength(10);
    for (const resource of carrying) expect((await create(gateway, resource)).status, resource.title).toBe('draft');
  });

  clause('S3-02', async (gateway) => {
    const { id, status } = await create(gateway, documented('Serial No'), { status: 'Active' });
    expect(status).toBe('Active');
    expect((await gateway.rest('POST', `/api/stock/serial-no/${id}/submit`)).status).toBe(404);
    const fields = '{ __type(name: "SerialNo") { fields { name } } }';
    const names = (await gateway.graphql(fields)).body.data.__type.fields.map(({ name }: { name: string }) => name);
    expect(names).toContain('status');
    expect(names).not.toContain('allowedActions');
  });

  clause('S3-03', async (gateway) => {
    await each(shareOf(gateway.database.provider, resources), async (resource) => {
      const { id } = await create(gateway, resource);
      const { status, body } = await act(gateway, resource.base, id, 'submit');
      expect([status, body.id, body.status], resource.title).toEqual([200, id, 'submitted']);
      expect((await gateway.rest('GET', `${resource.base}/${id}`)).body).toEqual(body);
    });
  });

  clause('S3-04', async (gateway) => {
    await each(shareOf(gateway.database.provider, resources), async (resource) => {
      const { id } = await create(gateway, resource);
      await act(gateway, resource.base, id, 'submit');
      const { status, body } = await act(gateway, resource.base, id, 'cancel');
      expect([status, body.id, body.status], resource.title).toEqual([200, id, 'cancelled']);
      expect((await gateway.rest('GET', `${resource.base}/${id}`)).body).toEqual(body);
    });
  });

  clause('S3-05', async (gateway) => {
    await each(several, async (resource) => {
      const record = await create(gateway, resource);
      for (const action of ['submit', 'cancel'] as const) {
        const { body } = await act(gateway, resource.base, record.id, action);
        expect({ ...body, status: '', updated_at: '' }).toEqual({ ...record, status: '', updated_at: '' });
        expect(body.updated_at >= String(record.updated_at)).toBe(true);
      }
    });
  });

  clause('S3-06', async (gateway) => {
    await each(several, async (resource) => {
      const { id } = await create(gateway, resource);
      await act(gateway, resource.base, id, 'submit');
      await expectConflict(gateway, resource.base, id, 'submit', {
        current_state: 'submitted',
        expected_state: 'draft',
        allowed_actions: ['cancel'],
      });
      await act(gateway, resource.base, id, 'cancel');
      await expectConflict(gateway, resource.base, id, 'submit', {
        current_state: 'cancelled',
        expected_state: 'draft',
        allowed_actions: [],
      });
    });
  });

  clause('S3-07', async (gateway) => {
    await each(several, async (resource) => {
      const { id } = await create(gateway, resource);
      await expectConflict(gateway, resource.base, id, 'cancel', {
        current_state: 'draft',
        expected_state: 'submitted',
        allowed_actions: ['submit'],
      });
      await act(gateway, resource.base, id, 'submit');
      await act(gateway, resource.base, id, 'cancel');
      await expectConflict(gateway, resource.base, id, 'cancel', {
        current_state: 'cancelled',
        expected_state: 'submitted',
        allowed_actions: [],
      });
    });
  });

  clause('S3-08', async (gateway) => {
    const { id } = await create(gateway, repair);
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(gateway, repair.base, id, 'submit')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
  });

  clause('S3-09', async ({ rest }) => {
    const named = [
      'Signing Document',
      'Transaction Deletion Record',
      'Asset Repair',
      'Serial And Batch Bundle',
      'BOM Creator',
      'Job Card',
      'Subcontracting Inward Order',
      'Timesheet',
    ];
    await each(named.map(documented), async ({ base }) => {
      for (const action of ['submit', 'cancel']) {
        const { status, body } = await rest('POST', `${base}/nothing/${action}`);
        expect([status, body.error.code], base).toEqual([404, 'resource_missing']);
      }
    });
  });

  clause('S3-10', async (gateway) => {
    const order = documented('Subcontracting Order');
    const { id } = await create(gateway, order);
    expect((await act(gateway, order.base, id, 'submit')).body.status).toBe('submitted');
  });

  clause('S3-11', async (gateway) => {
    await each(resources, async (resource) => {
      const record = await create(gateway, resource);
      expect((await patchStatus(gateway, resource.base, record, 'submitted')).body.status).toBe('submitted');
    });
  });

  clause('S3-12', async (gateway) => {
    await each(several, async (resource) => {
      const record = await create(gateway, resource);
      const statuses: unknown[] = [];
      for (const status of [
        'draft',
        'cancelled',
        'submitted',
        'draft',
        'submitted',
        'cancelled',
        'cancelled',
        'draft',
      ]) {
        statuses.push((await patchStatus(gateway, resource.base, record, status)).status);
      }
      expect(statuses, resource.title).toEqual([200, 409, 200, 409, 200, 200, 200, 409]);
      expect((await gateway.rest('GET', `${resource.base}/${record.id}`)).body.status).toBe('cancelled');
    });
    const record = await create(gateway, repair, { description: 'before' });
    const body = { status: 'cancelled', description: 'after' };
    const refused = await gateway.rest('PATCH', `${repair.base}/${record.id}`, body);
    expect(refused.body.error).toMatchObject({ code: 'invalid_state', current_state: 'draft' });
    expect((await gateway.rest('GET', `${repair.base}/${record.id}`)).body.description).toBe('before');
  });

  clause('S3-13', async (gateway) => {
    expect((await create(gateway, repair, { status: 'draft' })).status).toBe('draft');
    for (const status of ['submitted', 'cancelled', 'Draft', '']) {
      const answer = await gateway.rest('POST', repair.base, { failure_date: 'x', asset: 'y', status });
      expect([answer.status, answer.body.error?.param], status).toEqual([400, 'status']);
    }
  });

  clause('S3-14', async (gateway) => {
    await each(several, async (resource) => {
      const record = await create(gateway, resource);
      for (const status of ['paid', 'Submitted', 'submitted ', '']) {
        const answer = await patchStatus(gateway, resource.base, record, status);
        expect([answer.status, answer.body.error.param], resource.title).toEqual([400, 'status']);
      }
    });
  });

  clause('S3-15', async (gateway) => {
    const deletion = documented('Transaction Deletion Record');
    const record = await create(gateway, deletion, { delete_bin_data_status: 'Half way' });
    await act(gateway, deletion.base, record.id, 'submit');
    const { body } = await act(gateway, deletion.base, record.id, 'cancel');
    expect(body).toMatchObject({ delete_bin_data_status: 'Half way', delete_transactions_status: 'Pending' });
  });

  clause('S3-16', async (gateway) => {
    for (const [title, name] of [
      ['Signing Document', 'signing_status'],
      ['Asset Repair', 'repair_status'],
    ] as const) {
      const resource = documented(title);
      const record = await create(gateway, resource);
      const path = `${resource.base}/${record.id}`;
      expect((await act(gateway, resource.base, record.id, 'submit')).body[name]).toBe(record[name]);
      expect((await gateway.rest('PATCH', path, { [name]: 'Something of ours' })).body[name]).toBe('Something of ours');
      expect((await act(gateway, resource.base, record.id, 'cancel')).body[name]).toBe('Something of ours');
    }
  });

  clause('S3-17', async (gateway) => {
    const serial = documented('Serial No');
    const record = await create(gateway, serial);
    for (const status of ['Delivered', 'Active', 'cancelled', 'whatever', 'draft']) {
      expect((await patchStatus(gateway, serial.base, record, status)).body.status).toBe(status);
    }
    expect((await gateway.rest('PATCH', `${serial.base}/${record.id}`, { status: null })).body.status).toBeNull();
  });

  clause('S3-18', async (gateway) => {
    await each(several, async (resource) => {
      const field =
        documentedFields(resource).findLast(({ type }) => type === 'string')?.name ?? modelName(resource.title);
      for (const actions of [['submit'], ['submit', 'cancel']] as const) {
        const { id } = await create(gateway, resource);
        for (const action of actions) await act(gateway, resource.base, id, action);
        const path = `${resource.base}/${id}`;
        expect((await gateway.rest('PATCH', path, { [field]: 'edited' })).body[field], path).toBe('edited');
        expect((await gateway.rest('DELETE', path)).body).toEqual({ id, deleted: true });
      }
    });
  });
};

const act = ({ rest }: Rest, base: string, id: string, action: 'submit' | 'cancel') =>
  rest('POST', `${base}/${id}/${action}`);

const patchStatus = ({ rest }: Rest, base: string, { id }: RecordBody, status: string) =>
  rest('PATCH', `${base}/${id}`, { status });

async function expectConflict(
  gateway: Rest,
  base: string,
  id: string,
  action: 'submit' | 'cancel',
  state: { current_state: string; expected_state: string; allowed_actions: string[] },
): Promise<void> {
  const { status, body } = await act(gateway, base, id, action);
  expect([status, body.error.type, body.error.code]).toEqual([409, 'state_error', 'invalid_state']);
  expect(body.error, base).toMatchObject(state);
}
