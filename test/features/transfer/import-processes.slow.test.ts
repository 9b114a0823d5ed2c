/** `records import` as processes: killed and run again, two at once, beside a gateway that writes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspect } from '../../../src/database/inspection.js';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { startRecords } from '../../support/process.js';
import { linesOf, oddDocuments } from './odd-documents.js';

const documents = oddDocuments(3000, 11);

function file(): string {
  const path = join(freshFolder(), 'records.jsonl');
  writeFileSync(path, linesOf(documents));
  return path;
}

const count = async (url: string, sql: string) =>
  Number((await inspect(url, false, ({ rows }) => rows(sql)))[0]?.[0] ?? 0);

const exported = async (url: string) =>
  (await records(['export', '-', '-q', '--with-secrets'], { DATABASE_URL: url })).text;

describe.each(providers)('on %s', (provider) => {
  test('killed again and again and run again, it imports everything once, and the journal tells of it once', async () => {
    const gateway = await startGateway({ database: provider });
    const url = gateway.config.databaseUrl;
    const path = file();
    let kills = 0;
    let asset = 0;
    for (let run = 0; ; run++) {
      const before = await count(url, 'SELECT coalesce(max("lines"), 0) FROM "ImportProgress"');
      const command = startRecords({ DATABASE_URL: url }, ['import', path, '--quiet']);
      while (command.child.exitCode === null) {
        // The gateway writes beside it.
        const input = { asset: `beside ${asset++}`, failure_date: 'd' };
        expect((await gateway.rest('POST', '/api/assets/asset-repair', input)).status).toBe(201);
        const done = await count(url, 'SELECT coalesce(max("lines"), 0) FROM "ImportProgress"');
        if (kills < 2 && done > before) {
          command.child.kill('SIGKILL');
          break;
        }
        await sleep(5);
      }
      const code = await command.ended;
      if (code === 'SIGKILL') kills++;
      else {
        expect(code, command.log()).toBe(0);
        expect(command.output()).toBe(`Imported ${documents.length} documents, 0 unchanged, 0 lines refused.\n`);
        break;
      }
      expect(run).toBeLessThan(20);
    }
    expect(kills).toBe(2);
    expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    const twice = `SELECT count(*) FROM (SELECT "recordId" FROM "JournalEntry" WHERE "action" = 'create'
      GROUP BY "recordId" HAVING count(*) > 1) AS repeated`;
    expect(await count(url, twice)).toBe(0);
    const lines = documents.flatMap((document) => Object.values(document).filter(Array.isArray)).flat().length;
    const settings = documents.filter(({ version }) => version === 7);
    const ofSettings = settings.flatMap((document) => Object.values(document).filter(Array.isArray)).flat().length;
    const created = `SELECT count(*) FROM "JournalEntry" WHERE "action" = 'create' AND "keyId" = 'import'`;
    expect(await count(url, created)).toBe(documents.length - settings.length + lines);
    expect(ofSettings).toBeGreaterThan(0);

    const whole = await freshDatabaseUrl(provider);
    expect(await records(['import', path, '-q'], { DATABASE_URL: whole })).toMatchObject({ code: 0 });
    const found = (await exported(url)).split('\n').filter((line) => !line.includes('"asset":"beside '));
    expect(found.join('\n')).toBe(await exported(whole));
    await gateway.close();
  }, 240_000);

  test('of two that import the same at once, one ends with a message, and nothing is there twice', async () => {
    const url = await freshDatabaseUrl(provider);
    const path = file();
    const commands = [1, 2].map(() => startRecords({ DATABASE_URL: url }, ['import', path, '--quiet']));
    const codes = await Promise.all(commands.map(({ ended }) => ended));
    const logs = commands.map((command) => command.log());
    if (codes.includes(1)) expect(logs.join('')).toMatch(/^error: Another process is importing the same/);
    expect(codes.filter((code) => code === 0).length, logs.join('')).toBeGreaterThan(0);
    expect((await exported(url)).trimEnd().split('\n')).toHaveLength(documents.length);
    expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  }, 120_000);

  test('a pipe is imported as it comes', async () => {
    const url = await freshDatabaseUrl(provider);
    const text = linesOf(documents.slice(0, 300));
    const done = await records(['import', '-', '--json'], { DATABASE_URL: url }, freshFolder(), text);
    expect(done.code, done.problem).toBe(0);
    expect(JSON.parse(done.text)).toMatchObject({ imported: 300, lines: 300, refused: 0 });
    expect(await count(url, 'SELECT count(*) FROM "ImportProgress"')).toBe(0);
  });

  test('a rule refuses what it refuses to the API, in the same words, and nothing of the document is written', async () => {
    const gateway = await startGateway({ database: provider });
    onTestFinished(() => gateway.close());
    const url = gateway.config.databaseUrl;
    const settings = {
      __typename: 'CurrencyExchangeSettings',
      apiEndpoint: 'https://a.test',
      serviceProvider: 'Custom',
    };
    const run = async (lines: Record<string, unknown>[], ...words: string[]) => {
      const path = join(freshFolder(), 'records.jsonl');
      writeFileSync(path, linesOf(lines));
      const command = startRecords({ DATABASE_URL: url }, ['import', path, '--quiet', ...words]);
      return { code: await command.ended, output: command.output(), log: command.log() };
    };
    // The rule: once set, these are not to be emptied again. Null is what they are before that, so the input allows it.
    expect(await run([settings])).toMatchObject({ code: 0 });
    const emptied = {
      ...settings,
      url: 'https://changed.test',
      apiEndpoint: null,
      details: [{ key: 'k', value: 'v' }],
    };
    const repair = (asset: string) => ({ __typename: 'AssetRepair', asset, failureDate: '2026-01-31' });
    const refused = join(freshFolder(), 'refused.jsonl');
    const skipping = ['--update', '--on-error', 'skip', '--errors', refused];
    const done = await run([repair('before'), emptied, repair('behind')], ...skipping);
    const reason = 'cannot be set to null; send a string, or leave it out to keep it as it is';
    expect(done).toEqual({
      code: 1,
      output: `line 2: apiEndpoint ${reason}\nImported 2 documents, 0 unchanged, 1 line refused.\n`,
      log: 'error: 1 line refused\n',
    });
    const problems = [{ path: 'apiEndpoint', code: 'parameter_invalid', message: reason }];
    expect(
      readFileSync(refused, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{ line: 2, problems, text: JSON.stringify(emptied) }]);
    const asked = await gateway.rest(
      'PATCH',
      '/api/accounts/currency-exchange-settings/currency-exchange-settings_default',
      {
        api_endpoint: null,
      },
    );
    expect(asked).toMatchObject({ status: 400, body: { error: { param: 'api_endpoint' } } });
    expect(asked.body.error.message).toContain(reason);
    const stored = (await exported(url))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(stored.map(({ asset }) => asset).filter(Boolean)).toEqual(['before', 'behind']);
    const found = stored.filter(({ __typename }) => __typename === settings.__typename);
    expect(found).toMatchObject([{ ...settings, version: 2, url: null, details: [] }]);
  });

  test('LOCK_SUBMITTED does not apply to it: a submitted document and its lines are brought to what they are elsewhere', async () => {
    const LOCK_SUBMITTED = 'true';
    const gateway = await startGateway({ database: provider, env: { LOCK_SUBMITTED } });
    onTestFinished(() => gateway.close());
    const url = gateway.config.databaseUrl;
    const path = join(freshFolder(), 'records.jsonl');
    const document = (more: Record<string, unknown>) => ({
      __typename: 'AssetRepair',
      failureDate: '2026-01-31',
      ...more,
    });
    const items = ['a', 'b'].map((itemCode) => ({ itemCode, warehouse: 'main' }));
    const run = async (more: Record<string, unknown>, ...words: string[]) => {
      writeFileSync(path, linesOf([document(more)]));
      const command = startRecords({ DATABASE_URL: url, LOCK_SUBMITTED }, ['import', path, '--quiet', ...words]);
      expect([await command.ended, command.log()]).toEqual([0, '']);
      return JSON.parse(await exported(url));
    };
    const { id, consumedItems } = await run({ asset: 'one', status: 'submitted', consumedItems: items });
    const locked = await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'two' });
    expect(locked).toMatchObject({ status: 409, body: { error: { code: 'invalid_state' } } });
    const changed = await run({ id, asset: 'two', consumedItems: consumedItems.slice(1) }, '--update');
    expect(changed).toMatchObject({
      id,
      asset: 'two',
      status: 'submitted',
      version: 2,
      consumedItems: [{ itemCode: 'b' }],
    });
  });
});

test('unreadable input is refused with the reason', async () => {
  const url = await freshDatabaseUrl('sqlite');
  const missing = join(freshFolder(), 'none.jsonl');
  expect(await records(['import', missing], { DATABASE_URL: url })).toMatchObject({
    code: 1,
    problem: `error: ${missing} cannot be read (ENOENT).\n`,
  });
  const path = file();
  const taken = await records(['import', path, '--errors', path], { DATABASE_URL: url });
  expect(taken).toMatchObject({ code: 1, problem: `error: ${path} exists. Give another name, or remove it.\n` });
});
