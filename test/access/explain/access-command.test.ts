/** `records access`: explains, and compares two files of roles, in a database that a gateway uses. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { records } from '../../commands/records.js';
import { freshFolder } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { rolesFile, technician } from '../roles.js';
import { explainQuery } from './explain-query.js';

describe.each(['sqlite', 'postgresql'] as const)('on %s', (database) => {
  async function start(roles: object = { technician }) {
    const ROLES = rolesFile(roles);
    const gateway = await startGateway({ database, env: { ROLES } });
    onTestFinished(gateway.close);
    const environment = { ROLES, DATABASE_URL: gateway.config.databaseUrl };
    const create = async (company: string | null, count = 1) => {
      const inputs = Array(count).fill({ asset: 'LATHE', failureDate: '2026-11-20', company });
      const mutation =
        'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
      const { body } = await gateway.graphql(mutation, { inputs });
      return body.data.createManyAssetRepairs.records.map(({ id }: { id: string }) => id) as string[];
    };
    return { gateway, environment, create };
  }

  test('explain says the same as GraphQL', async () => {
    const { gateway, environment, create } = await start();
    const [own = '', other = ''] = [...(await create('ACME')), ...(await create('Umbrella'))];
    const explain = (id: string, ...more: string[]) =>
      records(
        ['access', 'explain', 'AssetRepair', id, '--role', 'technician', '--claims', '{"company": "ACME"}', ...more],
        environment,
      );
    const allowed = await explain(own, '--action', 'update', '--input', '{"project": "P"}');
    expect(allowed).toMatchObject({ code: 0, problem: '' });
    const [title, , heads, first] = allowed.text.split('\n');
    expect([title, heads]).toEqual([
      'Allowed.',
      expect.stringMatching(/^role {8}rule +as it is {2}as it would become/),
    ]);
    expect(first).toMatch(/^technician {2}\{"AssetRepair":\{"read":.+,"update":.+\}\}\} {2}holds {5}holds$/);
    const refused = await explain(other, '--action', 'update', '--json');
    const asked = { type: 'ASSET_REPAIR', id: other, action: 'UPDATE' };
    const as = { roles: ['technician'], claims: '{"company": "ACME"}' };
    const { body } = await gateway.graphql(explainQuery, { ...asked, as });
    expect(JSON.parse(refused.text)).toEqual(body.data.explainAccess);
    expect(body.data.explainAccess).toMatchObject({
      allowed: false,
      reason: `No Asset Repair has the id "${other}".`,
      rules: [{ before: false, failed: ['company eq "ACME": it is "Umbrella"'] }],
    });
    expect((await explain(other)).text).toContain('company eq "ACME": it is "Umbrella"');
    const nobody = ['access', 'explain', 'AssetRepair', own, '--role', 'technician'];
    expect((await records(nobody, environment)).text).toContain('$claims.company is missing, empty or of another type');
    expect(await records(['access', 'explain', 'AssetRepar', own, '--role', 'technician'], environment)).toMatchObject({
      code: 1,
      problem: expect.stringContaining('AssetRepar is no type of records; did you mean `AssetRepair`?'),
    });
    expect((await records([...nobody.slice(0, -1), 'tecnician'], environment)).problem).toContain(
      'did you mean `technician`?',
    );
    expect(await records(nobody, { DATABASE_URL: environment.DATABASE_URL })).toMatchObject({
      code: 2,
      problem: expect.stringContaining('ROLES is not set'),
    });
  });

  test('diff counts and lists what another file shows and hides', async () => {
    const { environment, create } = await start();
    const acme = await create('ACME', 2);
    const umbrella = await create('Umbrella', 30);
    const none = await create(null);
    const other = {
      ...technician,
      types: {
        AssetRepair: { ...technician.types.AssetRepair, read: { not: { company: { eq: '$claims.company' } } } },
      },
    };
    const reads = (read: unknown) => ({ scopes: ['assets:read'], types: { AssetRepair: { read } } });
    const same = reads({ asset: { eq: 'LATHE' } });
    const others = {
      not: { increaseInAssetLife: { gt: 4.0 } },
      and: [
        { asset: { contains: 'lath', ignoreCase: true } },
        { status: { in: ['DRAFT'] } },
        { createdBy: { ne: 'x' } },
      ],
    };
    const folder = freshFolder();
    const callers = join(folder, 'callers.json');
    writeFileSync(
      callers,
      JSON.stringify([{ claims: { company: 'ACME' } }, { claims: {} }, { claims: { company: 'ACME', age: 4 } }]),
    );
    const files = [
      rolesFile({ technician, same, ways: same }, freshFolder()),
      rolesFile({ technician: other, same, ways: reads(others) }, freshFolder()),
    ];
    const words = ['access', 'diff', ...files, '--claims', callers];
    const { text, code } = await records([...words, '--json'], environment);
    expect(code).toBe(0);
    const difference = { role: 'technician', claims: { company: 'ACME' }, subject: '', type: 'AssetRepair' };
    expect(JSON.parse(text)).toEqual([
      { ...difference, now: 'shows', count: 31, ids: [...umbrella, ...none].sort().slice(0, 20) },
      { ...difference, now: 'hides', count: 2, ids: acme.sort() },
    ]);
    const shown = (await records(words, environment)).text;
    expect(shown).toContain('shows 31 of AssetRepair');
    const [file = ''] = files;
    expect((await records(['access', 'diff', file, file, '--claims', callers], environment)).text).toBe(
      'Both files show the same records.\n',
    );
    writeFileSync(callers, '{}');
    expect(await records(words, environment)).toMatchObject({
      code: 2,
      problem: expect.stringContaining('must be a list of callers'),
    });
    expect(readFileSync(callers, 'utf8')).toBe('{}');
  });
});
