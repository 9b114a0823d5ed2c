/** Files of CSV as other programs write them: Python's csv, Excel, LibreOffice. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { linesOf, oddDocuments } from './odd-documents.js';

function fileOf(name: string, text: string | Buffer): string {
  const file = join(freshFolder(), name);
  writeFileSync(file, text);
  return file;
}

const importing = (url: string, file: string, ...words: string[]) =>
  records(['import', file, '-q', ...words], { DATABASE_URL: url });

async function exported(url: string, ...words: string[]): Promise<string> {
  const { code, text, problem } = await records(['export', '-', '-q', ...words], { DATABASE_URL: url });
  expect(code, problem).toBe(0);
  return text;
}

const documentsIn = async (url: string, ...words: string[]) =>
  (await exported(url, ...words))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Each asset with its cost, whether it is capitalized, and the items and costs of its lines. */
const repairsIn = async (url: string) =>
  (await documentsIn(url, '--types', 'AssetRepair'))
    .map(({ asset, repairCost, capitalizeRepairCost, consumedItems }) => [
      asset,
      repairCost,
      capitalizeRepairCost,
      consumedItems.map((line: Record<string, unknown>) => [line.itemCode, line.totalValue]),
    ])
    .sort();

/** Reads every file of a folder, and writes it with every value in quotes. */
const quoteAll = `
import csv, os, sys
csv.field_size_limit(10 ** 8)
before, after, quoting = sys.argv[1:]
for name in os.listdir(before):
    with open(os.path.join(before, name), newline='', encoding='utf-8') as one:
        with open(os.path.join(after, name), 'w', newline='', encoding='utf-8') as other:
            csv.writer(other, quoting=getattr(csv, quoting)).writerows(csv.reader(one))
`;

const header =
  'asset,failureDate,repairCost,capitalizeRepairCost,consumedItems.itemCode,consumedItems.warehouse,consumedItems.totalValue';
const quoted = (rows: readonly string[]) =>
  rows
    .map((row) =>
      row
        .split(',')
        .map((value) => `"${value}"`)
        .join(','),
    )
    .join('\n');

describe.each(providers)('on %s', (provider) => {
  // The second is how spreadsheets save.
  test.each(provider === 'sqlite' ? ['QUOTE_ALL', 'QUOTE_MINIMAL'] : ['QUOTE_ALL'])(
    'an export that Python saves again by %s comes back as it was',
    async (how) => {
      const [first, second] = [await freshDatabaseUrl(provider), await freshDatabaseUrl(provider)];
      await importing(first, fileOf('records.jsonl', linesOf(oddDocuments(120, 9))));
      const [tables, saved] = [join(freshFolder(), 'tables'), join(freshFolder(), 'saved')];
      expect(
        await records(['export', tables, '--format', 'csv', '--with-secrets'], { DATABASE_URL: first }),
      ).toMatchObject({ code: 0 });
      mkdirSync(saved);
      const python = spawnSync('python3', ['-c', quoteAll, tables, saved, how], { encoding: 'utf8' });
      expect(python).toMatchObject({ status: 0, stderr: '' });
      for (const name of readdirSync(saved)) {
        const done = await importing(second, join(saved, name));
        expect(done.code, `${name}: ${done.problem}${done.text}`).toBe(0);
      }
      expect(await exported(second, '--with-secrets')).toBe(await exported(first, '--with-secrets'));
    },
  );

  test('where every value is in quotes, a part of empty ones is absent, and an empty one is null', async () => {
    const url = await freshDatabaseUrl(provider);
    const rows = [
      header,
      'LATHE-1,2026-11-20,12.5,True,BELT,main,',
      ',,,,OIL,main,3',
      ',,,,,,',
      'LATHE-2,2026-11-20,,,,,',
      ',2026-11-20,1,false,,,',
    ];
    expect(await importing(url, fileOf('AssetRepair.csv', quoted(rows)))).toMatchObject({ code: 0 });
    expect(await repairsIn(url)).toEqual([
      ['', 1, false, []],
      [
        'LATHE-1',
        12.5,
        true,
        [
          ['BELT', null],
          ['OIL', 3],
        ],
      ],
      ['LATHE-2', 0, false, []],
    ]);
    const [{ description, id }] = await documentsIn(url, '--types', 'AssetRepair');
    expect(description).toBe(null);
    // Where only some values are in quotes, these say that there is a text.
    const partly = fileOf('AssetRepair.csv', `id,description,company\n${id},"",\n`);
    expect(await importing(url, partly, '--update')).toMatchObject({ code: 0 });
    expect((await documentsIn(url, '--types', 'AssetRepair'))[0]).toMatchObject({ description: '', company: null });
    const all = fileOf('AssetRepair.csv', `"id","description"\r\n"${id}",""\r\n`);
    expect(await importing(url, all, '--update')).toMatchObject({ code: 0 });
    expect((await documentsIn(url, '--types', 'AssetRepair'))[0]).toMatchObject({ description: null });
  });
});

const german = [header, 'SÄGE 1;2026-11-20;1234,5;WAHR;BELT;"a;b";-0,25'.replace('WAHR', 'TRUE'), ';;;;OIL;main;3']
  .join('\r\n')
  .replaceAll(/^[^;]*$/gm, (names) => names.replaceAll(',', ';'));
const sawn = [
  [
    'SÄGE 1',
    1234.5,
    true,
    [
      ['BELT', -0.25],
      ['OIL', 3],
    ],
  ],
];
const decimal = '--decimal-comma';

test.each([
  ['semicolons of LibreOffice', 'AssetRepair.csv', `${german}\r\n`, ['--delimiter', ';', decimal]],
  ['Excel with BOM and sep=', 'AssetRepair.csv', `\uFEFFsep=;\r\n${german}\r\n`, [decimal]],
  ['tabs by the name of the file', 'AssetRepair.tsv', german.replaceAll('"a;b"', 'a').replaceAll(';', '\t'), [decimal]],
  [
    'the Unicode text of Excel',
    'AssetRepair.txt',
    Buffer.from(`\uFEFF${german.replaceAll('"a;b"', 'a').replaceAll(';', '\t')}`, 'utf16le'),
    ['--csv', 'AssetRepair', '--delimiter', 'tab', decimal],
  ],
])('%s', async (_, name, text, words) => {
  const url = await freshDatabaseUrl('sqlite');
  const done = await importing(url, fileOf(name, text), ...words);
  expect(done, done.problem).toMatchObject({ code: 0 });
  expect(await repairsIn(url)).toEqual(sawn);
});

test('each kind of line end ends a row, also where a program has appended rows with another one', async () => {
  const url = await freshDatabaseUrl('sqlite');
  const rows = ['industry\r\n', 'A1\r\n', 'A2\n', '\r\n', 'A3\r', '"A\r\n4"\n', 'A5'].join('');
  const { code, problem } = await importing(url, fileOf('IndustryType.csv', rows));
  expect(code, problem).toBe(0);
  const found = (await documentsIn(url, '--types', 'IndustryType')).map(({ industry }) => industry);
  expect(found.sort()).toEqual(['A\r\n4', 'A1', 'A2', 'A3', 'A5']);

  const refused = fileOf('AssetRepair.csv', `failureDate,repairCost,asset\r\nx,1,L1\nx,bad,L2\r\nx,bad,L3\r\n`);
  const errors = join(freshFolder(), 'refused.jsonl');
  await importing(url, refused, '--on-error', 'skip', '--errors', errors);
  const texts = readFileSync(errors, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(texts.map(({ line }) => line)).toEqual([3, 4]);
  const mended = `failureDate,repairCost,asset\r\n${texts.map(({ text }) => text.replace('bad', '2')).join('')}`;
  expect((await importing(url, fileOf('AssetRepair.csv', mended))).code).toBe(0);
  expect((await repairsIn(url)).map(([asset]) => asset)).toEqual(['L1', 'L2', 'L3']);
});

test('a file that is read otherwise than it was written is refused with the option that reads it', async () => {
  const url = await freshDatabaseUrl('sqlite');
  const saved = fileOf('AssetRepair.csv', german);
  const ask = async (file: string, ...words: string[]) => {
    const { code, problem, text } = await importing(url, file, ...words);
    expect(code).not.toBe(0);
    return problem + text;
  };
  expect(await ask(saved)).toContain(
    "The names in the first line are separated by semicolons, not by commas. --delimiter ';' reads them, and --decimal-comma",
  );
  expect(await ask(fileOf('AssetRepair.csv', '"asset";"failureDate"\r\n"A";"B"\r\n'))).toContain(
    'by semicolons, not by',
  );
  expect(await ask(fileOf('AssetRepair.csv', 'asset\tfailureDate\nA\tB\n'))).toContain('--delimiter tab reads them.');
  expect(await ask(fileOf('AssetRepair.csv', 'asset,failureDate\nA,B\n'), '--delimiter', ';')).toContain(
    "by commas, not by semicolons. --delimiter ',' reads them.",
  );
  expect(await ask(fileOf('AssetRepair.csv', Buffer.from('asset\nS\xc4GE\n', 'latin1')))).toContain(
    'This is not UTF-8. Save it as CSV in UTF-8.',
  );
  const numbers = await ask(saved, '--delimiter', ';');
  expect(numbers).toContain('repairCost must be a number, not a string; --decimal-comma reads 12,5 as a number');
  expect(numbers).toContain(
    `(head -n 1 ${saved}; tail -n +2 ${saved}) | records import - --csv AssetRepair --delimiter ';'`,
  );
  // Where numbers have decimal commas, a point may separate thousands: it is not guessed.
  const mixed = fileOf('AssetRepair.csv', 'sep=;\nasset;failureDate;repairCost\nA;B;1.234\n');
  expect(await ask(mixed, decimal)).toContain('repairCost must be a number');
  expect(await ask(mixed, decimal, '--again')).toContain(`head -n 2 ${mixed}; tail -n +3 ${mixed}`);
  expect(await ask(fileOf('records.jsonl', '{}'), decimal)).toContain('Only CSV has a delimiter and a decimal comma.');
  expect(await ask(saved, '--delimiter', 'semicolon')).toContain('Give one character, or tab.');
  // Read in another way it is another import.
  expect(await importing(url, saved, '--delimiter', ';', decimal)).toMatchObject({ code: 0 });
  expect(await repairsIn(url)).toEqual(sawn);
});
