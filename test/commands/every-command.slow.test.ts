/** Every command as a process of its own, on both databases, in the order in which one needs the other. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rolesFile, technician } from '../access/roles.js';
import { webhookSettings } from '../features/webhooks/deliverer.js';
import { startReceiver } from '../features/webhooks/receiver.js';
import { emptyDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { startRecords } from '../support/process.js';
import { commandHelp } from './help.js';

/** The commands that have no commands below them. */
const commands = commandHelp()
  .map(({ name }) => name)
  .filter((name, _, all) => name !== '' && !all.some((other) => other.startsWith(`${name} `)));

describe.each(providers)('on %s', (provider) => {
  test('every command does what it is for', async () => {
    const settings = { ...webhookSettings, DATABASE_URL: await emptyDatabaseUrl(provider) };
    const folder = freshFolder();
    const run = new Set<string>();
    /** Runs a command and returns what it printed; `code` is how it is to end. */
    const records = async (command: string, words: string[] = [], code = 0, environment = {}): Promise<string> => {
      run.add(command);
      const process = startRecords({ ...settings, ...environment }, [...command.split(' '), ...words]);
      expect([command, await process.ended, process.log()]).toEqual([command, code, expect.anything()]);
      return process.output() + process.log();
    };

    expect(await records('migrate apply')).toContain('The database is up to date.');
    expect(await records('migrate status')).toContain('The database is up to date');
    const isPostgresql = provider === 'postgresql';
    const shown = await records('config', ['--json']);
    expect(shown).toContain('DATABASE_URL');
    if (isPostgresql) expect(shown).not.toContain('postgres:postgres');

    const key = JSON.parse(await records('keys create', ['a client', '--scopes', '*', '--json']));
    expect(await records('keys list')).toContain('a client');
    const rotated = JSON.parse(await records('keys rotate', [key.apiKey.id, '--json']));
    expect(rotated.secret).not.toBe(key.secret);

    await records('seed', ['--records', '60', '--seed', '7', '--quiet']);
    const exported = join(folder, 'records.jsonl');
    await records('export', [exported, '--quiet']);
    const other = { DATABASE_URL: await emptyDatabaseUrl(provider) };
    await records('migrate apply', [], 0, other);
    expect(await records('import', [exported, '--quiet'], 0, other)).toMatch(
      /^Imported \d\d documents, 0 unchanged, 0/,
    );
    expect(await records('export', ['-', '--quiet'], 0, other)).toBe(await records('export', ['-', '--quiet']));
    expect(await records('check')).toContain('counts are exact');

    const backup = join(folder, 'backup.db');
    const made = await records('backup', [backup], isPostgresql ? 1 : 0);
    expect(made).toMatch(isPostgresql ? /pg_dump/ : /[0-9a-f]{64}/);
    const place = { DATABASE_URL: isPostgresql ? settings.DATABASE_URL : `file:${join(folder, 'restored.db')}` };
    expect(await records('restore', [backup], isPostgresql ? 1 : 0, place)).toMatch(isPostgresql ? /pg_restore/ : /./);

    const ROLES = rolesFile({ technician }, folder);
    const explain = ['AssetRepair', 'asset-repair_0', '--role', 'technician'];
    expect(await records('access explain', explain, 0, { ROLES })).toContain('Refused: No Asset Repair has the id');
    writeFileSync(join(folder, 'callers.json'), '[{}]');
    const files = [ROLES, ROLES, '--claims', join(folder, 'callers.json')];
    expect(await records('access diff', files)).toContain('the same records');

    // Nobody has signed in.
    expect(await records('people forget', ['https://login.example|1'], 1)).toContain('https://login.example|1');

    const receiver = await startReceiver();
    const webhook = /wh_\w{12}/.exec(
      await records('webhooks create', ['Workshop', '--url', receiver.url, '--key', rotated.apiKey.id]),
    )?.[0];
    const id = [webhook ?? ''];
    expect(await records('webhooks list')).toContain(webhook);
    await records('webhooks disable', id);
    await records('webhooks enable', id);
    await records('webhooks rotate', id);
    await records('webhooks replay', [...id, '--after', '0']);
    await records('webhooks test', id);
    // No gateway has delivered anything yet.
    expect(await records('webhooks redeliver', [...id, 'message'], 1)).toContain('no message of this webhook');
    await records('webhooks log', id);
    await records('webhooks delete', id);

    const curl = "curl 'http://127.0.0.1:4000/api/assets/asset-repair?limit=1'";
    expect(await records('translate', [curl])).toContain('assetRepairs');
    expect(await records('usage')).toMatch(/./);
    await records('keys revoke', [rotated.apiKey.id]);

    run.add('serve');
    const gateway = startRecords(settings, ['serve']);
    const url = await gateway.ready();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toBe(0);
    expect([...run].sort()).toEqual([...commands].sort());
  });
});
