/** `--json` of every command, on both databases: programs can read the result and the errors. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rolesFile, technician } from '../access/roles.js';
import { webhookSettings } from '../features/webhooks/deliverer.js';
import { startReceiver } from '../features/webhooks/receiver.js';
import { emptyDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { commandHelp } from './help.js';
import { records } from './records.js';

/** All that print a result; `serve` writes a log, whose lines are JSON. */
const commands = commandHelp()
  .map(({ name }) => name)
  .filter((name, _, all) => name !== '' && !all.some((other) => other.startsWith(`${name} `)))
  .filter((name) => name !== 'serve');

describe.each(providers)('on %s', (provider) => {
  test('every command prints its result as one value of JSON, and nothing else', async () => {
    const environment = { ...webhookSettings, DATABASE_URL: await emptyDatabaseUrl(provider) };
    const folder = freshFolder();
    const told = new Set<string>();
    const run = async (command: string, words: string[] = [], code = 0, own = {}) => {
      told.add(command);
      const outcome = await records([...command.split(' '), ...words, '--json'], { ...environment, ...own });
      expect([command, outcome.code], outcome.problem).toEqual([command, code]);
      return JSON.parse(outcome.text);
    };
    /** The problems that a command prints on standard error. */
    const refused = async (command: string, words: string[], code: number) => {
      told.add(command);
      const { text, problem, ...outcome } = await records([...command.split(' '), ...words, '--json'], environment);
      expect([command, outcome.code, text]).toEqual([command, code, '']);
      const { exitCode, problems }: { exitCode: number; problems: string[] } = JSON.parse(problem);
      expect(exitCode).toBe(code);
      return problems;
    };

    expect(await run('migrate apply')).toMatchObject({ messages: expect.arrayContaining([expect.any(String)]) });
    expect(await run('migrate status')).toMatchObject({ applied: expect.any(Array), missing: [] });
    expect(await run('config')).toContainEqual({ name: 'WORKERS', value: '1', source: 'default' });
    const { apiKey, secret } = await run('keys create', ['a client', '--scopes', '*']);
    expect(secret).toMatch(/^brg_/);
    expect(await run('keys list')).toMatchObject([{ id: apiKey.id, name: 'a client' }]);
    const rotated = (await run('keys rotate', [apiKey.id])).apiKey.id;
    expect(await run('seed', ['-q', '--records', '60'])).toEqual({ created: 60, wereThere: 0 });
    const file = join(folder, 'records.jsonl');
    expect(await run('export', [file, '-q', '--types', 'Quotation'])).toMatchObject({
      file,
      documents: expect.any(Number),
    });
    expect(await run('import', [file, '-q', '--update'])).toMatchObject({ imported: 0, refused: 0 });
    expect(await run('check')).toContainEqual({ holds: 'counts are exact', problems: [], isMendable: true });
    expect(await run('usage')).toEqual([]);
    expect(await run('translate', ['{ assetRepair(id: "x") { id } }'])).toMatchObject({
      method: 'GET',
    });

    const ROLES = rolesFile({ technician }, folder);
    const explain = ['AssetRepair', 'asset-repair_0', '--role', 'technician'];
    expect(await run('access explain', explain, 0, { ROLES })).toMatchObject({
      allowed: false,
      rules: expect.any(Array),
    });
    writeFileSync(join(folder, 'callers.json'), '[{}]');
    const files = [ROLES, ROLES, '--claims', join(folder, 'callers.json')];
    expect(await run('access diff', files)).toEqual([]);

    expect(await refused('people forget', ['https://login.example|1'], 1)).toEqual([expect.any(String)]);

    const { url } = await startReceiver();
    const webhook = await run('webhooks create', ['Workshop', '--url', url, '--key', rotated]);
    const { id } = webhook.webhook;
    expect(webhook.secret).toMatch(/^whsec_/);
    expect(await run('webhooks list')).toMatchObject([{ id }]);
    for (const name of ['disable', 'enable']) expect(await run(`webhooks ${name}`, [id])).toMatchObject({ id });
    expect(await run('webhooks rotate', [id])).toMatchObject({ webhook: { id }, secret: expect.any(String) });
    expect(await run('webhooks replay', [id, '--after', '0'])).toMatchObject({ id });
    expect(await run('webhooks test', [id])).toEqual(expect.any(Object));
    expect(await refused('webhooks redeliver', [id, 'message'], 1)).toEqual([expect.stringMatching(/no message/)]);
    expect(await run('webhooks log', [id])).toEqual(expect.any(Array));
    expect(await run('webhooks delete', [id])).toMatchObject({ id });
    expect(await run('keys revoke', [rotated])).toMatchObject({ id: rotated });

    const backup = join(folder, 'backup.db');
    if (provider === 'postgresql') {
      expect(await refused('backup', [backup], 1)).toEqual([expect.stringContaining('pg_dump')]);
      expect(await refused('restore', [backup], 1)).toEqual([expect.stringContaining('pg_restore')]);
    } else {
      const { digest } = await run('backup', [backup]);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      const elsewhere = { DATABASE_URL: `file:${join(folder, 'restored.db')}` };
      expect(await run('restore', [backup], 0, elsewhere)).toEqual(expect.any(Object));
    }
    expect([...told].sort()).toEqual([...commands].sort());
  });
});

test.each(commands)('`%s` tells a program too what is wrong with its words', async (command) => {
  const { code, text, problem } = await records([...command.split(' '), '--no-such-flag', '--json']);
  expect([code, text]).toEqual([2, '']);
  expect(JSON.parse(problem)).toEqual({ exitCode: 2, problems: [expect.any(String)] });
});
