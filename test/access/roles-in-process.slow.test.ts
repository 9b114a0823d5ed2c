/** As in roles-of-keys.test.ts, for a gateway as a process of its own. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { startProcess, startRecords } from '../support/process.js';
import { rolesFile, technician } from './roles.js';

test('a real process: a key of the command line works with the roles in force; SIGHUP reads them again, but no wrong file', async () => {
  const ROLES = rolesFile({ technician });
  const environment = { ROLES, DATABASE_URL: await freshDatabaseUrl('sqlite'), API_KEY: 'a-key-that-is-long-enough' };
  const gateway = startProcess(environment);
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  const url = await gateway.ready();
  const words = ['keys', 'create', 'Shop floor', '--role', 'technician', '--claim', 'company=ACME', '--json'];
  const command = startRecords(environment, words);
  expect(await command.ended).toBe(0);
  const { secret } = JSON.parse(command.output());
  const status = async (path: string) =>
    (await fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${secret}` } })).status;
  const reload = async (roles: unknown, outcome: string) => {
    const before = gateway.log().split(outcome).length;
    writeFileSync(ROLES, JSON.stringify(roles));
    gateway.child.kill('SIGHUP');
    await expect.poll(() => gateway.log().split(outcome).length).toBe(before + 1);
  };
  expect(await status('assets/asset-repair')).toBe(200);
  expect(await status('stock/serial-no')).toBe(403);
  const typeOfCost = async () =>
    (await (await fetch(`${url}/openapi.json`)).json()).components.schemas.AssetRepair.properties.repair_cost.type;
  expect(await typeOfCost()).toEqual(['number', 'null']);
  await reload({ technician: { scopes: ['stock:raed'] } }, 'could not be reloaded');
  expect(gateway.log()).toContain(
    '`technician.scopes.1` is none of those that are possible there; did you mean `stock:read`?',
  );
  expect(await status('assets/asset-repair')).toBe(200);
  rmSync(ROLES);
  execFileSync('mkfifo', [ROLES]);
  const told = 'it is no file, but a folder, a device or a pipe';
  gateway.child.kill('SIGHUP');
  await expect.poll(() => gateway.log()).toContain(told);
  rmSync(ROLES);
  expect(await status('assets/asset-repair')).toBe(200);
  await reload(
    { technician: { scopes: ['stock:read'], types: { SerialNo: { read: true } } } },
    'The settings were reloaded',
  );
  expect(await status('assets/asset-repair')).toBe(403);
  expect(await status('stock/serial-no')).toBe(200);
  expect(await typeOfCost()).toBe('number');
});

test('a start with a wrong file ends, and names what is wrong', async () => {
  const gateway = startProcess({ ROLES: rolesFile({ a: 4 }), DATABASE_URL: await freshDatabaseUrl('sqlite') });
  expect(await gateway.ended).toBe(2);
  expect(gateway.log()).toContain('which cannot be used: `a` must be of the type object.');
});
