/** CSV: `records export --format csv` and `records import --csv`, on both databases. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startRecords } from '../../support/process.js';
import { linesOf, oddDocuments } from './odd-documents.js';

const documents = oddDocuments(200, 5);
const header =
  'asset,failureDate,repairCost,consumedItems.itemCode,consumedItems.warehouse,purchaseInvoices.purchaseInvoice,purchaseInvoices.repairCost,purchaseInvoices.expenseAccount';

function fileOf(name: string, text: string | Buffer): string {
  const file = join(freshFolder(), name);
  writeFileSync(file, text);
  return file;
}

const repairs = (...rows: string[]) => fileOf('AssetRepair.csv', `${[header, ...rows].join('\r\n')}\r\n`);

const importing = (url: string, file: string, ...words: string[]) =>
  records(['import', file, '-q', ...words], { DATABASE_URL: url });

async function exported(url: string, ...words: string[]): Promise<string> {
  const { code, text, problem } = await records(['export', '-', '-q', ...words], { DATABASE_URL: url });
  expect(code, problem).toBe(0);
  return text;
}

async function migrated(provider: 'sqlite' | 'postgresql'): Promise<string> {
  const url = await freshDatabaseUrl(provider);
  expect(await records(['migrate', 'apply'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  return url;
}

/** The assets of the repairs that are there, each with the codes of its items and its invoices. */
async function repairsIn(url: string): Promise<unknown[]> {
  const lines = (await exported(url, '--types', 'AssetRepair')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const { asset, repairCost, consumedItems, purchaseInvoices } = JSON.parse(line);
    return [
      asset,
      repairCost,
      consumedItems.map(({ itemCode }: { itemCode: string }) => itemCode),
      purchaseInvoices.map(({ purchaseInvoice }: { purchaseInvoice: string }) => purchaseInvoice),
    ];
  });
}

test('every type comes back as it was by way of a folder of CSV, which is the same from both databases', async () => {
  const [sqlite, postgresql] = [await migrated('sqlite'), await migrated('postgresql')];
  const file = fileOf('records.jsonl', linesOf(documents));
  const [one, other] = [join(freshFolder(), 'tables'), join(freshFolder(), 'tables')];
  for (const [url, folder] of [
    [sqlite, one],
    [postgresql, other],
  ] as const) {
    expect(await importing(url, file)).toMatchObject({ code: 0 });
    const words = ['export', folder, '-q', '--with-secrets', '--format', 'csv'];
    const done = await records(words, { DATABASE_URL: url });
    expect(done, done.problem).toMatchObject({ code: 0, text: `Exported ${documents.length} documents.\n` });
  }
  const files = readdirSync(one);
  expect(files.length).toBeGreaterThan(20);
  expect(readdirSync(other)).toEqual(files);
  expect(statSync(one).mode & 0o777).toBe(0o700);
  const url = await migrated('postgresql');
  for (const name of files) {
    expect(readFileSync(join(other, name), 'utf8')).toBe(readFileSync(join(one, name), 'utf8'));
    const outcome = await importing(url, join(one, name));
    expect(outcome.code, `${name}: ${outcome.problem}${outcome.text}`).toBe(0);
  }
  expect(await exported(url, '--with-secrets')).toBe(await exported(sqlite, '--with-secrets'));
  expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  // If they exist already, an update finds no difference.
  const again = await importing(url, join(one, 'AssetRepair.csv'), '--again', '--update');
  expect(again.text, again.problem).toMatch(/^Imported 0 documents, \d+ unchanged, 0 lines refused/);
});

describe.each(providers)('on %s', (provider) => {
  test('rows below a document bring further lines; refused ones are kept as they stand in the file', async () => {
    const url = await migrated(provider);
    const file = repairs(
      'LATHE-1,2026-11-20,12.5,BELT,1,PINV-1,1,E',
      ',,,OIL,2,,,',
      'LATHE-2,2026-11-20,many,"BELT, ""long""\nand wide",1,,,',
      ',,,OIL,2,,,',
      '',
      'LATHE-3,2026-11-20,,,,,,',
      'LATHE-4,2026-11-20,1',
      'LATHE-5,2026-11-20,1e2,,,PINV-2,1,E',
      ',,,,,PINV-3,1,E',
    );
    const tried = await importing(url, file, '--dry-run', '--on-error', 'skip');
    expect(tried).toMatchObject({ code: 3 });
    expect(await repairsIn(url)).toEqual([]);
    const errors = join(freshFolder(), 'refused.jsonl');
    const { code, text } = await importing(url, file, '--on-error', 'skip', '--errors', errors);
    expect(code).toBe(1);
    expect(text).toContain('Imported 3 documents, 0 unchanged, 2 lines refused');
    expect((await repairsIn(url)).sort()).toEqual([
      ['LATHE-1', 12.5, ['BELT', 'OIL'], ['PINV-1']],
      ['LATHE-3', 0, [], []],
      ['LATHE-5', 100, [], ['PINV-2', 'PINV-3']],
    ]);
    const refused = readFileSync(errors, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(refused.map(({ line, text: kept, problems: [{ path, message }] }) => [line, kept, path, message])).toEqual([
      [
        4,
        'LATHE-2,2026-11-20,many,"BELT, ""long""\nand wide",1,,,\n,,,OIL,2,,,\n',
        'repairCost',
        expect.stringContaining('must be'),
      ],
      [9, 'LATHE-4,2026-11-20,1\n', '', 'has 3 columns in line 9, not 8'],
    ]);
  });

  test('it stops at a refused line, says how to go on, and goes on where it was', async () => {
    const url = await migrated(provider);
    const rows = [
      'LATHE-1,2026-11-20,1,BELT,1,,,',
      ',,,OIL,2,,,',
      'LATHE-2,2026-11-20,x,,,,,',
      ',,,OIL,2,,,',
      'LATHE-3,2026-11-20,3,,,,,',
    ];
    const file = repairs(...rows);
    const stopped = await importing(url, file, '--name', 'monday');
    expect(stopped.code).toBe(1);
    expect(stopped.problem).toContain(`(head -n 1 ${file}; tail -n +4 ${file}) | records import - --csv AssetRepair`);
    writeFileSync(file, `${[header, ...rows].join('\n').replace('x,,,,,', '2,,,,,')}\n`);
    const gone = await importing(url, file, '--name', 'monday');
    expect(gone.text, gone.problem).toContain('Imported 3 documents');
    expect((await repairsIn(url)).sort()).toEqual([
      ['LATHE-1', 1, ['BELT', 'OIL'], []],
      ['LATHE-2', 2, ['OIL'], []],
      ['LATHE-3', 3, [], []],
    ]);
  });

  test('killed and run again, it imports everything once', async () => {
    const url = await migrated(provider);
    const count = 3000;
    const rows = Array.from({ length: count }, (_, index) => `LATHE-${index},2026-11-20,1,BELT,1,,,\r\n,,,OIL,2,,,`);
    const file = repairs(...rows);
    for (let kills = 0; kills < 2; ) {
      const before = await repairsIn(url);
      const command = startRecords({ DATABASE_URL: url }, ['import', file, '--quiet']);
      while (command.child.exitCode === null && (await repairsIn(url)).length === before.length);
      command.child.kill('SIGKILL');
      if ((await command.ended) === 0) break;
      kills++;
    }
    expect(await importing(url, file)).toMatchObject({ code: 0 });
    const found = await repairsIn(url);
    expect(new Set(found.map(String)).size).toBe(count);
    expect(found).toHaveLength(count);
  });
});

test('what is no CSV of the type is refused without a word of its content', async () => {
  const url = await migrated('sqlite');
  const ask = async (text: string | Buffer, ...words: string[]) => {
    const { code, problem } = await importing(url, fileOf('AssetRepair.csv', text), ...words);
    expect(code).toBe(1);
    expect(problem).not.toContain('canary');
    return problem;
  };
  expect(await ask('assett,failureDate\n')).toContain('AssetRepair has no column "assett". Did you mean asset?');
  expect(await ask('asset,asset\n')).toContain('names the column asset twice');
  expect(await ask('')).toContain('The file is empty. Its first line names the columns.');
  expect(await ask('asset,failureDate\nA,"canary\nB,2\n')).toContain('a text in quotes has no end at line 3');
  expect(await ask('asset,failureDate\nA,ca"nary\n')).toContain(
    'a quote stands within a text that has none around it at line 2',
  );
  expect(await ask(Buffer.from([...Buffer.from('asset,failureDate\nA,'), 0xff, 0x0a]))).toContain('is not UTF-8');
  expect(await ask('asset\n', '--csv', 'AssetRepairs')).toContain(
    'There is no type AssetRepairs. Did you mean AssetRepair?',
  );
  const taken = join(freshFolder(), 'tables');
  mkdirSync(taken);
  const options = { DATABASE_URL: url };
  expect((await records(['export', taken, '--format', 'csv'], options)).problem).toContain(`${taken} exists`);
  expect((await records(['export', '-', '--format', 'csv'], options)).problem).toContain(
    'CSV has a file for each type',
  );
  const named = join(freshFolder(), 'tables.csv');
  expect((await records(['export', named], options)).problem).toContain('CSV has a file for each type');
  expect(await records(['export', named, '--types', 'IndustryType'], options)).toMatchObject({ code: 0 });
  expect(readFileSync(named, 'utf8')).toBe('id,version,createdAt,updatedAt,createdBy,updatedBy,industry\r\n');
  expect(await exported(url, '--format', 'csv', '--types', 'IndustryType')).toBe(
    'id,version,createdAt,updatedAt,createdBy,updatedBy,industry\r\n',
  );
});
