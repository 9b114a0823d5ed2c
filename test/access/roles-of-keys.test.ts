/** Keys with roles: made on the command line and by GraphQL, looked up with what the file of ROLES gives them now. */
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { grantsOfCommand } from '../../src/cli/work.js';
import { createKey, rotateKey } from '../../src/features/keys/api-keys.js';
import { features } from '../../src/features.js';
import { createAuthenticator, validKeys } from '../../src/gateway/access/authenticator.js';
import { noGrants } from '../../src/gateway/access/grants.js';
import { equals, never } from '../../src/query/condition.js';
import { records } from '../commands/records.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { callerOf, errorsOf } from './keys.js';
import { resourceOf, rolesFile, technician } from './roles.js';

const claims = '{"company":"ACME"}';
const viewer = `{ viewer {
  roles scopes hiddenFields(type: ASSET_REPAIR) hiddenOfSerials: hiddenFields(type: SERIAL_NO)
  read: may(type: ASSET_REPAIR, action: READ) create: may(type: ASSET_REPAIR, action: CREATE)
  readLine: may(type: ASSET_REPAIR_CONSUMED_ITEM, action: READ)
  createLine: may(type: ASSET_REPAIR_CONSUMED_ITEM, action: CREATE)
  deleteLine: may(type: ASSET_REPAIR_CONSUMED_ITEM, action: DELETE)
  readSerial: may(type: SERIAL_NO, action: READ)
} }`;

describe.each(['sqlite', 'postgresql'] as const)('on %s', (database) => {
  async function start(roles: object) {
    const ROLES = rolesFile(roles);
    const gateway = await startGateway({ database, env: { ROLES } });
    onTestFinished(gateway.close);
    const made = async (names: string[]) => createKey(gateway.database, { name: 'a test', roles: names, claims });
    return { ...gateway, made, file: ROLES };
  }

  test('a key with roles has their scopes, and viewer says what they allow', async () => {
    const gateway = await start({ technician });
    const { secret } = await gateway.made(['technician']);
    const { graphql, rest } = callerOf(gateway, secret);
    expect((await graphql(viewer)).body).toEqual({
      data: {
        viewer: {
          roles: ['technician'],
          scopes: technician.scopes,
          hiddenFields: ['repairCost'],
          hiddenOfSerials: [],
          read: true,
          create: false,
          readLine: true,
          createLine: true,
          deleteLine: false,
          readSerial: false,
        },
      },
    });
    const refused = await rest('GET', '/api/stock/serial-no');
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toBe('This API key lacks the scope `stock:read`, which this needs.');
    const own = (await gateway.graphql(viewer)).body.data.viewer;
    expect(own).toMatchObject({ roles: [], hiddenFields: [], create: true, readLine: true, deleteLine: true });
  });

  test('the identity of a key has the rights of its roles, by its claims; webhooks have the same', async () => {
    const gateway = await start({ technician });
    const { secret, apiKey } = await gateway.made(['technician']);
    const grants = await grantsOfCommand(features, gateway.config);
    const authenticate = createAuthenticator(gateway.database, () => {}, grants);
    const identify = authenticate({ headers: { authorization: `Bearer ${secret}` } });
    const { rights, ...identity } = await identify();
    expect(identity).toMatchObject({ keyId: apiKey.id, roles: ['technician'], scopes: technician.scopes });
    expect(rights?.rule(resourceOf('AssetRepair'), 'read')).toEqual(equals('company', 'ACME'));
    const told = (await validKeys(gateway.database, [apiKey.id], grants)).get(apiKey.id);
    expect(told?.rights).toBe(rights);
    // The next request has what the roles give then, also of a key that is cached.
    grants.replace((await grantsOfCommand(features, gateway.config)).value);
    expect((await identify()).rights?.digest).toBe(rights?.digest);
    grants.replace(noGrants);
    const none = await identify();
    expect(none.scopes).toEqual([]);
    expect(none.rights?.rule(resourceOf('AssetRepair'), 'read')).toEqual(never);
  });

  test('a key without roles has no rights, and its scopes as before', async () => {
    const gateway = await start({ technician });
    const { secret, apiKey } = await createKey(gateway.database, { name: 'a test', scopes: ['assets:read'] });
    const grants = await grantsOfCommand(features, gateway.config);
    const authenticate = createAuthenticator(gateway.database, () => {}, grants);
    const identity = await authenticate({ headers: { authorization: `Bearer ${secret}` } })();
    expect(identity).not.toHaveProperty('rights');
    expect(identity).not.toHaveProperty('roles');
    expect(identity.scopes).toEqual(['assets:read']);
    const told = (await validKeys(gateway.database, [apiKey.id], grants)).get(apiKey.id);
    expect(told).toMatchObject({ keyId: apiKey.id, name: 'a test', scopes: ['assets:read'] });
    expect(told?.rights).toBeUndefined();
  });

  test('without ROLES, or with roles that are not in it, a key has no scopes, and the refusal says why', async () => {
    const gateway = await start({ technician });
    const { secret } = await gateway.made(['unknown']);
    const { graphql, rest } = callerOf(gateway, secret);
    const { body } = await rest('GET', '/api/assets/asset-repair');
    expect(body.error.message).toBe(
      'This API key lacks the scope `assets:read`, which this needs. It has roles, and none of them is in the file of the setting ROLES.',
    );
    expect(errorsOf(await graphql('{ assetRepairs { totalCount } }'))).toEqual(['FORBIDDEN assetRepairs']);
    const without = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl } });
    onTestFinished(without.close);
    const there = callerOf(without, secret);
    expect((await there.rest('GET', '/api/assets/asset-repair')).body.error.message).toContain(
      'It has roles, and this gateway knows none, because it runs without the setting ROLES.',
    );
    expect((await there.graphql(viewer)).body.data.viewer).toMatchObject({ roles: ['unknown'], read: false });
  });

  test('a key that sees what it has made, and no more', async () => {
    const all = { read: { createdBy: { eq: '$subject' } }, create: true };
    const maker = { scopes: ['assets:read', 'assets:write'], types: { AssetRepair: all } };
    const gateway = await start({ maker });
    const callers = await Promise.all(
      ['one', 'other'].map(async () => callerOf(gateway, (await gateway.made(['maker'])).secret)),
    );
    const values = { asset: 'LATHE', failure_date: '2026-11-20' };
    const made: string[] = [];
    for (const { rest } of callers) {
      const { status, body } = await rest('POST', '/api/assets/asset-repair', values);
      expect(status).toBe(201);
      made.push(body.id);
    }
    for (const [index, { graphql, rest }] of callers.entries()) {
      expect((await graphql('{ assetRepairs { nodes { id } } }')).body.data.assetRepairs.nodes).toEqual([
        { id: made[index] },
      ]);
      expect((await rest('GET', `/api/assets/asset-repair/${made[1 - index]}`)).status).toBe(404);
    }
  });

  test('rotating a key copies its roles and claims', async () => {
    const gateway = await start({ technician });
    const { apiKey } = await gateway.made(['technician']);
    const { apiKey: rotated } = await rotateKey(gateway.database, apiKey.id, { overlapSeconds: 0 });
    expect(rotated).toMatchObject({ roles: ['technician'], claims: { company: 'ACME' }, scopes: [] });
  });

  test('GraphQL makes keys with roles, and refuses what makes no sense', async () => {
    const gateway = await start({ technician });
    const create = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) {
      apiKey { scopes roles claims } userErrors { path message } } }`;
    const made = async (input: object) =>
      (await gateway.graphql(create, { input: { name: 'a test', ...input } })).body.data.createApiKey;
    const several = '{"company": "ACME", "companies": ["A", "B"]}';
    expect(await made({ roles: ['technician'], claims: several })).toEqual({
      apiKey: {
        scopes: [],
        roles: ['technician'],
        claims: '{"company":"ACME","companies":["A","B"]}',
      },
      userErrors: [],
    });
    const problems = async (input: object) =>
      (await made(input)).userErrors.map(({ message }: { message: string }) => message);
    expect(await problems({ roles: ['technicion'] })).toEqual([
      '`input.roles[0]` (`technicion`) is no role; did you mean `technician`?',
    ]);
    expect(await problems({ roles: ['technician'], scopes: ['*'] })).toEqual([
      '`input.scopes` cannot be given together with roles, which bring their scopes.',
    ]);
    expect(await problems({ scopes: ['*'], claims })).toEqual([
      '`input.claims` are for the rules of roles; name a role.',
    ]);
    expect(await problems({ roles: ['technician'], claims: '{"a": [1' })).toEqual([
      expect.stringContaining('`input.claims` is not valid JSON'),
    ]);
    expect(await problems({ roles: ['technician'], claims: JSON.stringify({ a: 'x'.repeat(8000) }) })).toEqual([
      '`input.claims` must have 8000 characters at most.',
    ]);
    expect(await problems({ roles: ['technician'], claims: '[1]' })).toEqual([
      '`input.claims` must be an object in JSON.',
    ]);
    expect((await problems({}))[0]).toContain('`input.scopes` must name at least one scope');
    expect(gateway.logLines.join('')).not.toContain('ACME');
  });
});

test('the command line makes and lists keys with roles', async () => {
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const ROLES = rolesFile({ technician });
  await records(['migrate'], { DATABASE_URL });
  const create = (...words: string[]) => records(['keys', 'create', 'Shop floor', ...words], { DATABASE_URL, ROLES });
  const made = await create(
    '--role',
    'technician',
    '--claim',
    'company=ACME',
    '--claim',
    'companies=["A","B"]',
    '--json',
  );
  expect(made.problem).toBe('');
  expect(JSON.parse(made.text).apiKey).toMatchObject({
    roles: ['technician'],
    scopes: [],
    claims: { company: 'ACME', companies: ['A', 'B'] },
  });
  expect((await create('--role', 'technician')).text).toContain('  roles    technician\n');
  expect((await records(['keys', 'list'], { DATABASE_URL })).text).toContain('roles: technician');
  // Whoever runs the command may have no file of roles.
  expect((await records(['keys', 'create', 'x', '--role', 'other'], { DATABASE_URL })).code).toBe(0);
  expect(await create('--role', 'technicion')).toMatchObject({
    code: 1,
    problem: expect.stringContaining('did you mean `technician`?'),
  });
  expect(await create('--role', 'technician', '--scopes', '*')).toMatchObject({ code: 2 });
  expect(await create()).toMatchObject({ code: 2, problem: expect.stringContaining('--scopes or --role') });
  expect(await create('--role', 'technician', '--claim', 'company')).toMatchObject({ code: 2 });
  expect(await create('--role', 'technician', '--claim', 'company=[x')).toMatchObject({
    code: 2,
    problem: expect.stringContaining('The value is not valid JSON'),
  });
  expect(await create('--role', 'technician', '--claim', 'company=A', '--claim', 'company=B')).toMatchObject({
    code: 2,
    problem: expect.stringContaining('company is given twice; give a list as one value.'),
  });
  writeFileSync(ROLES, '{');
  expect(await create('--role', 'technician')).toMatchObject({
    code: 2,
    problem: expect.stringContaining('ROLES names'),
  });
});
