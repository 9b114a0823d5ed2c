/** What commands print of a file, a database or a caller, and how they say numbers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLog, Output, visible, visibleLine } from '../../src/common/output.js';
import { inspect } from '../../src/database/inspection.js';
import { linesOf } from '../features/transfer/odd-documents.js';
import { typescriptIn } from '../house/files.js';
import { freshDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { startRecords } from '../support/process.js';
import { records } from './records.js';

const erased = '\u001b[2J';
const odd = `${erased}\u009b31m\u007f\u202egnp\u2028\rforged`;
const controls = /[^\P{Cc}\n]|[\u202a-\u202e\u2028\u2029]/u;

test('control characters are shown as escapes, everywhere where a command prints what others wrote', async () => {
  expect(visible(odd)).toBe('\\u001b[2J\\u009b31m\\u007f\\u202egnp\\u2028\\u000dforged');
  expect(visible('ä\n\t😀👩‍🔧')).toBe('ä\n\t😀👩‍🔧');
  expect(visibleLine('one\ntwo')).toBe('one\\u000atwo');
  const folder = freshFolder();
  const file = join(folder, 'records.jsonl');
  const document = { __typename: 'AssetRepair', asset: 'a', failureDate: 'd' };
  writeFileSync(file, linesOf([{ ...document, [`${odd}\nline 7: forged`]: 1 }]));
  const named = join(folder, 'AssetRepair.csv');
  writeFileSync(named, `asset,"${odd}"\nA,B\n`);
  const settings = { DATABASE_URL: await freshDatabaseUrl('sqlite') };
  for (const words of [
    ['import', file, '-q'],
    ['import', named, '-q'],
    ['import', join(folder, odd)],
    ['import', file, '--csv', odd],
    ['export', '-', '--types', odd],
    ['keys', 'create', odd, '--scopes', odd],
    ['keys', 'revoke', odd],
    ['keys', 'revoke', odd, '--json'],
    ['webhooks', 'create', odd, '--url', `https://${odd}`, '--key', odd],
    ['translate', `curl '${odd}'`],
    ['migrate', odd],
    ['check', '--database-url', odd],
    [odd],
  ]) {
    const { code, text, problem } = await records(words, settings, folder);
    expect([words, code]).not.toEqual([words, 0]);
    expect(text + problem, words.join(' ')).not.toMatch(controls);
    expect(text).not.toMatch(/^line 7/m);
  }
});

test('so does the log for people', () => {
  const lines: string[] = [];
  const output = new Output(2);
  output.write = (text) => void lines.push(text);
  createLog('info', output, { forPeople: true }).error({ err: new Error(odd) }, odd);
  expect(lines.join('')).toContain('\\u001b[2J');
  expect(lines.join('')).not.toMatch(controls);
});

describe.each(providers)('on %s', (provider) => {
  test('an import that is ended by Ctrl-C says how it goes on', async () => {
    const url = await freshDatabaseUrl(provider);
    const file = join(freshFolder(), 'records.jsonl');
    const document = { __typename: 'IndustryType', industry: 'x'.repeat(200) };
    writeFileSync(file, linesOf(Array.from({ length: 100_000 }, () => document)));
    const command = startRecords({ DATABASE_URL: url }, ['import', file, '--quiet']);
    onTestFinished(() => void command.child.kill('SIGKILL'));
    const begun = () =>
      inspect(url, false, async ({ rows }) => (await rows('SELECT "id" FROM "ImportProgress"')).length > 0);
    while (command.child.exitCode === null && !(await begun())) await sleep(10);
    await sleep(500);
    command.child.kill('SIGINT');
    expect(await command.ended).toBe('SIGINT');
    expect(command.log()).toBe('\nInterrupted. What was imported stays. Run it again: it continues where it was.\n');
  });
});

/** Numbers that are never 1 there. */
const several = [
  'src/cli/run.ts: applied.length migrations',
  'src/cli/run.ts: problems.length problems',
  'src/graphql/operation/documents.ts: operations.length operations',
];

test('a number that may be 1 is said by `counted`', () => {
  const number =
    /\$\{[^}]*(?:\.length|\b[a-z]*[cC]ount|imported|refused|failures|words|stored|documents|created)\} [a-z]+s\b/g;
  const found = typescriptIn('src')
    .filter(({ path }) => !path.startsWith('src/features/pages/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(number)]
        .map(([each]) => `${path}: ${each.replace(/[${}]/g, '')}`)
        .filter((each) => !/ (?:is|was|has|this|as|does)$/.test(each)),
    );
  expect(found.sort()).toEqual(several);
});
