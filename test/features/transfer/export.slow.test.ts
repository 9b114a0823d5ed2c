/** `records export` on both databases. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inspect } from '../../../src/database/inspection.js';
import { documentTypes } from '../../../src/features/transfer/document-types.js';
import { fileDestination } from '../../../src/features/transfer/export/destination.js';
import { exportDocuments, pagesOf, runExport } from '../../../src/features/transfer/export/run-export.js';
import { authorColumns } from '../../../src/model/resource.js';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { startRecords } from '../../support/process.js';
import { resourceOf, resources } from '../../support/resources.js';

const settingsPath = '/api/accounts/currency-exchange-settings/currency-exchange-settings_default';

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  let url: string;
  let repair: Record<string, unknown>;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
    url = gateway.config.databaseUrl;
    repair = await createRepair('LATHE-7 "½"\n\u2028', 0.1 + 0.2);
    await gateway.rest('POST', '/api/accounts/sales-invoice-payment', {
      parent_id: 'SINV-1',
      parent_type: 'Sales Invoice',
      mode_of_payment: 'Cash',
    });
    const { status, body } = await gateway.rest('PATCH', settingsPath, {
      access_key: 'top-secret',
      api_endpoint: '',
      service_provider: 'x',
    });
    expect(status, JSON.stringify(body)).toBe(200);
  });
  afterAll(() => gateway.close());

  const documentsIn = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const run = (...words: string[]) => records(['export', ...words], { DATABASE_URL: url });

  async function createRepair(asset: string, repairCost: number): Promise<Record<string, unknown>> {
    const consumedItems = [
      { itemCode: 'BELT', warehouse: '' },
      { itemCode: 'OIL', warehouse: 'Stores', totalValue: 1e21 },
    ];
    const { body } = await gateway.graphql(
      `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record {
        id version createdAt updatedAt createdBy updatedBy asset repairCost company capitalizeRepairCost increaseInAssetLife
        consumedItems { id version itemCode warehouse totalValue } } } }`,
      { input: { asset, failureDate: '2026-11-20', repairCost, consumedItems } },
    );
    return body.data.createAssetRepair.record;
  }

  test('a document with its lines is a line of JSON, as GraphQL answers it', async () => {
    const { code, text, problem } = await run('-', '--types', 'AssetRepair');
    expect(code, problem).toBe(0);
    expect(text.split('\n')).toHaveLength(2);
    const [document] = documentsIn(text);
    expect(document).toMatchObject(repair);
    const { lines, fields } = resourceOf('AssetRepair');
    const names = [...fields, ...lines.map(({ field }) => ({ name: field }))].map(({ name }) => name);
    expect(Object.keys(document)).toEqual([
      '__typename',
      'id',
      'version',
      'createdAt',
      'updatedAt',
      ...authorColumns,
      ...names,
    ]);
    expect(Object.keys(document.consumedItems[0])).not.toContain('idx');
    expect(problem).toBe('Exported 1 document.\n');
  });

  test('without types it is everything but secrets: settings that somebody has set, and lines that have no record here', async () => {
    const file = join(freshFolder(), 'records.jsonl');
    const { code, text } = await run(file, '--json');
    expect({ code, ...JSON.parse(text) }).toEqual({ code: 0, file, documents: 3 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const found = documentsIn(readFileSync(file, 'utf8'));
    expect(found.map(({ __typename }) => __typename).sort()).toEqual([
      'AssetRepair',
      'CurrencyExchangeSettings',
      'SalesInvoicePayment',
    ]);
    expect(found.find(({ __typename }) => __typename === 'SalesInvoicePayment')).toMatchObject({
      parentId: 'SINV-1',
      idx: 1,
    });
    const settings = found.find(({ __typename }) => __typename === 'CurrencyExchangeSettings');
    expect(settings).toMatchObject({ version: 2, apiEndpoint: '', details: [] });
    expect(settings).not.toHaveProperty('accessKey');
    const whole = await run('-', '-t', 'CurrencyExchangeSettings', '--with-secrets', '--quiet');
    expect(documentsIn(whole.text)).toMatchObject([{ accessKey: 'top-secret' }]);
    expect(whole.problem).toBe('');
  });

  test('it is one moment, though others write while it is read', async () => {
    const before = documentsIn((await run('-', '-q')).text);
    const seen: unknown[] = [];
    await inspect(url, false, async (inspection) => {
      for await (const { text } of exportDocuments(inspection, documentTypes(resources), { withSecrets: false })) {
        seen.push(...documentsIn(text));
        await createRepair('written meanwhile', 1);
        await gateway.rest('PATCH', `/api/assets/asset-repair/${repair.id}`, { asset: `changed ${seen.length}` });
      }
    });
    expect(byId(seen)).toEqual(byId(before));
    expect(documentsIn((await run('-', '-q')).text).length).toBeGreaterThan(before.length);
  });

  test('a page holds few megabytes, however many records would fit by their number', async () => {
    const description = 'x'.repeat(900_000);
    for (let n = 0; n < 5; n++) {
      const { status } = await gateway.rest('POST', '/api/assets/asset-repair', {
        asset: 'large',
        failure_date: '2026-11-20',
        description,
      });
      expect(status).toBe(201);
    }
    const sizes: number[] = [];
    await inspect(url, false, async (inspection) => {
      const repairs = resourceOf('AssetRepair');
      for await (const _ of pagesOf(inspection, repairs)) sizes.push(0);
      for await (const { text } of exportDocuments(inspection, [repairs], { withSecrets: false }))
        sizes.push(text.length);
    });
    expect(sizes.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...sizes)).toBeLessThan(3_000_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(4_500_000);
  });

  test('a process writes a file beside its name, and ends without a word when nobody reads its pipe', async () => {
    const folder = freshFolder();
    const command = startRecords({ DATABASE_URL: url }, ['export', join(folder, 'records.jsonl')]);
    expect(await command.ended, command.log()).toBe(0);
    expect(command.output()).toMatch(/^Exported \d+ documents\.\n$/);
    expect(readdirSync(folder)).toEqual(['records.jsonl']);
    expect(documentsIn(readFileSync(join(folder, 'records.jsonl'), 'utf8'))).toEqual(
      documentsIn((await run('-', '-q')).text),
    );

    const main = join(inject('testRun').built, 'src/main.js');
    const pipe = `"${process.execPath}" "${main}" export - | head -c 10`;
    const child = spawn('bash', ['--norc', '-c', `set -o pipefail; ${pipe}`], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
    });
    let problem = '';
    child.stderr.on('data', (more) => {
      problem += more;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(problem).toBe('');
  });

  test('an export that is ended leaves nothing behind', async () => {
    const folder = freshFolder();
    const command = startRecords({ DATABASE_URL: url }, ['export', join(folder, 'records.jsonl')]);
    while (command.child.exitCode === null && readdirSync(folder).length === 0) await sleep(1);
    command.child.kill('SIGINT');
    const code = await command.ended;
    expect(readdirSync(folder)).toEqual(code === 0 ? ['records.jsonl'] : []);
  });

  test('of two that write the same file, the second does not overwrite the first', async () => {
    const file = join(freshFolder(), 'records.jsonl');
    const [one, two] = [fileDestination(file), fileDestination(file)];
    await one.write('one', 'AssetRepair');
    await two.write('two', 'AssetRepair');
    await one.end();
    await expect(two.end()).rejects.toThrow(`${file} exists`);
    two.abandon();
    expect(readFileSync(file, 'utf8')).toBe('one');
    expect(readdirSync(dirname(file))).toEqual(['records.jsonl']);
  });

  test.runIf(provider === 'postgresql')('a database that is lost meanwhile is told in a line', async () => {
    let isAbandoned = false;
    const losing = () => ({
      write: async () => {
        await gateway.database.client.$queryRawUnsafe(
          `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
           WHERE application_name LIKE '%inspection' AND datname = current_database()`,
        );
      },
      end: async () => {},
      abandon: () => {
        isAbandoned = true;
      },
    });
    const progress = { isTerminal: false, isQuiet: true, printError: () => {} };
    await expect(runExport(url, losing, { types: [], withSecrets: false, progress })).rejects.toThrow(
      'The database cannot be reached. Nothing was kept; export again.',
    );
    expect(isAbandoned).toBe(true);
  });

  test('impossible exports are refused with the reason, and leave nothing behind', async () => {
    const folder = freshFolder();
    const taken = join(folder, 'taken.jsonl');
    writeFileSync(taken, '');
    expect(await run(taken)).toMatchObject({
      code: 1,
      problem: `error: ${taken} exists. Give another name, or remove it.\n`,
    });
    expect((await run('-', '--types', 'AssetRepairs')).problem).toBe(
      'error: There is no type AssetRepairs. Did you mean AssetRepair?\n',
    );
    expect((await run('-', '--types', 'TimesheetDetail')).problem).toBe(
      'error: TimesheetDetail is a line; it goes with its Timesheet.\n',
    );
    const nowhere = await run(join(folder, 'no', 'such', 'folder.jsonl'));
    expect(nowhere).toMatchObject({
      code: 1,
      problem: expect.stringMatching(/^error: \/.*\/such\/folder.jsonl cannot be written \(ENOENT\)/),
    });
    for (const types of ['', 'AssetRepair,,Quotation', ',']) {
      expect(await run('-', '--types', types)).toMatchObject({ code: 2, text: '' });
    }
    expect(readdirSync(folder)).toEqual(['taken.jsonl']);
    const long = await run(join(folder, 'x'.repeat(300)));
    expect(long).toMatchObject({ code: 1, problem: expect.stringMatching(/cannot be written \(ENAMETOOLONG\)/) });
    const elsewhere = (url: string) => records(['export', '-'], { DATABASE_URL: url });
    const none = join(folder, 'text.db');
    writeFileSync(none, 'x'.repeat(5000));
    expect((await elsewhere(`file:${none}`)).problem).toMatch(/^error: .{10,300}\n$/);
    expect((await elsewhere('file:/dev/null')).problem).toMatch(/^error: .{10,300}\n$/);
    const newer = await freshDatabaseUrl(provider);
    await inspect(newer, true, ({ rows }) =>
      rows(`UPDATE "_prisma_migrations" SET "migration_name" = '20991231000000_future'
        WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")`),
    );
    expect((await elsewhere(newer)).problem).toMatch(/newer version/);
    const older = await freshDatabaseUrl(provider);
    await inspect(older, true, ({ rows }) =>
      rows(`DELETE FROM "_prisma_migrations"
        WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")`),
    );
    expect((await elsewhere(older)).problem).toMatch(
      /lacks the migration \d+_\w+\. `records migrate apply` applies it\./,
    );
    const missing = join(freshFolder(), 'none.db');
    expect((await records(['export', '-'], { DATABASE_URL: `file:${missing}` })).problem).toMatch(
      /There is no database at/,
    );
    expect(existsSync(missing)).toBe(false);
  });
});

const byId = (documents: unknown[]) =>
  documents.map((document) => JSON.stringify(document)).toSorted((one, other) => (one < other ? -1 : 1));
