/** Lines whose document need not be held here: what `explainAccess` says of them happens, by their document or by their own rules. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { startGateway } from '../../support/gateway.js';
import { callerOf } from '../keys.js';
import { rolesFile } from '../roles.js';
import { explainQuery } from './explain-query.js';

const own = { employee: { in: ['EMP-1', 'EMP-3'] } };
const ofCompany = { company: { eq: 'ACME' } };
const worker = {
  scopes: ['manufacturing:read', 'manufacturing:write', 'manufacturing:delete'],
  types: {
    JobCard: { read: true, update: ofCompany },
    JobCardTimeLog: { read: true, create: own, update: own, delete: own },
  },
};

describe.each(['sqlite', 'postgresql'] as const)('on %s', (database) => {
  test.each([
    ['a job card of the company', 'ACME'],
    ['a job card of another', 'Umbrella'],
    ['no job card that is held here', undefined],
    ['a job card that is gone', undefined, `job-card_${'0'.repeat(26)}`],
  ])('time logs of %s', async (_, company?: string, missing = 'MFG-JC-1') => {
    const gateway = await startGateway({ database, env: { ROLES: rolesFile({ worker }) } });
    onTestFinished(gateway.close);
    const { secret } = await createKey(gateway.database, { name: 'x', roles: ['worker'] });
    const caller = callerOf(gateway, secret);
    const card = async () => {
      const input = {
        company,
        productionItem: 'BIKE',
        forQuantity: 1,
        operation: 'Weld',
        workstation: 'W',
        wipWarehouse: 'WIP',
        bomNo: 'B',
        workOrder: 'WO',
        postingDate: '2026-11-20',
      };
      const text = 'mutation ($input: CreateJobCardInput!) { createJobCard(input: $input) { record { id } } }';
      const { body } = await gateway.graphql(text, { input });
      return body.data?.createJobCard.record.id ?? JSON.stringify(body);
    };
    const parentId: string = company ? await card() : missing;
    const isDone = async (query: string, variables: object) =>
      (await caller.graphql(query, { ...variables })).body.data?.done != null;
    const explain = async (variables: object) => {
      const { body } = await caller.graphql(explainQuery, { type: 'JOB_CARD_TIME_LOG', ...variables });
      expect(body.errors).toBeUndefined();
      return body.data.explainAccess;
    };
    const outcomes: boolean[] = [];
    for (const employee of ['EMP-1', 'EMP-2']) {
      const input = { parentId, parentType: 'Job Card', employee };
      const fields = JSON.stringify(input);
      const create =
        'mutation ($input: CreateJobCardTimeLogInput!) { done: createJobCardTimeLog(input: $input) { record { id } } }';
      const said = await explain({ action: 'CREATE', input: fields });
      expect(await isDone(create, { input }), JSON.stringify(said)).toBe(said.allowed);
      const made = (await gateway.graphql(create, { input })).body.data.done.record.id;
      expect((await explain({ id: made, action: 'READ' })).allowed).toBe(true);
      // An update without a difference is done in any case: it writes nothing.
      for (const to of ['EMP-1', 'EMP-2', 'EMP-3'].filter((each) => each !== employee)) {
        const update =
          'mutation ($id: ID!, $input: UpdateJobCardTimeLogInput!) { done: updateJobCardTimeLog(id: $id, input: $input) { record { id } } }';
        const changed = await explain({ id: made, action: 'UPDATE', input: JSON.stringify({ employee: to }) });
        outcomes.push(changed.allowed);
        expect(await isDone(update, { id: made, input: { employee: to } }), JSON.stringify(changed)).toBe(
          changed.allowed,
        );
        await gateway.graphql(update, { id: made, input: { employee } });
      }
      const removed = await explain({ id: made, action: 'DELETE' });
      const remove = 'mutation ($id: ID!) { done: deleteJobCardTimeLog(id: $id) { deletedId } }';
      expect(await isDone(remove, { id: made }), JSON.stringify(removed)).toBe(removed.allowed);
    }
    expect(outcomes).toEqual(company ? Array(4).fill(company === 'ACME') : [false, true, false, false]);
  });
});
