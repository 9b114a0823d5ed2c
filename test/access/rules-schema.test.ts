/** Where the tables are in another schema of PostgreSQL, whose name Prisma writes before each table. */
import { expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { emptyDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { callerOf } from './keys.js';
import { rolesFile, technician } from './roles.js';

test.each([true, false])('compiled %s: rules hold in a schema of another name', async (compiled) => {
  const url = new URL(await emptyDatabaseUrl('postgresql'));
  url.searchParams.set('schema', 'records_of_ours');
  const env = { ROLES: rolesFile({ technician }), DATABASE_URL: url.href };
  const gateway = await startGateway({ database: 'postgresql', compiled, env });
  onTestFinished(gateway.close);
  const claims = '{"company":"ACME"}';
  const { secret } = await createKey(gateway.database, { name: 'a test', roles: ['technician'], claims });
  const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
  for (const company of ['ACME', 'Umbrella', null]) {
    await gateway.graphql(create, { input: { asset: 'LATHE', failureDate: '2026-11-20', company } });
  }
  const { body } = await callerOf(gateway, secret).graphql('{ assetRepairs { totalCount nodes { company } } }');
  expect(body.data.assetRepairs).toEqual({ totalCount: 1, nodes: [{ company: 'ACME' }] });
});
