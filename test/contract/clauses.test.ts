import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clauses } from './clauses.js';
import { contractPage } from './contract-table.js';

const folder = new URL('./', import.meta.url);
const sources = readdirSync(folder).map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));
const tests = sources.filter(({ file }) => file.endsWith('.test.ts'));

/** The ids of clauses whose tests run: those in `clause('<id>', …)`, in a file that a test file imports. */
const shown = sources
  .filter(({ file }) => file.endsWith('.clauses.ts'))
  .flatMap(({ file, text }) => {
    const imports = tests.filter((test) => test.text.includes(`from './${file.replace('.ts', '.js')}'`));
    const ids = [...text.matchAll(/^ *clause\(\s*'([^']*)'/gm)].map(([, id = '']) => id);
    return imports.flatMap(() => ids.map((id) => ({ id, file })));
  });

test('every clause is shown by exactly one test, and no test shows a clause that is not there', () => {
  expect(shown.map(({ id }) => id).sort()).toEqual(clauses.map(({ id }) => id).sort());
});

test('no other test has the id of a clause in its name', () => {
  for (const { file, text } of sources) expect(text, file).not.toMatch(/\b(test|it)(\.\w+)*\(\s*['"`]S\d/);
});

test('an id, once given, stays: add new ones at the end of clause-ids.txt, and change none', () => {
  const given = readFileSync(new URL('clause-ids.txt', folder), 'utf8').trim().split('\n');
  expect(new Set(given).size).toBe(given.length);
  expect(clauses.map(({ id }) => id).sort()).toEqual(given.sort());
});

test('an id begins with the number of its clause, and its number within it', () => {
  for (const { id, clause } of clauses) expect(id).toMatch(new RegExp(`^S${clause.replaceAll('.', '\\.')}-\\d\\d$`));
});

test('a clause that is not shown in the document says what was decided', () => {
  for (const clause of clauses) {
    if (clause.says.includes('not shown')) expect(clause, clause.id).toHaveProperty('decision');
  }
});

test('no two clauses say the same', () => {
  const statements = clauses.map(({ clause, says }) => `${clause} ${says}`);
  expect(statements.filter((statement, index) => statements.indexOf(statement) !== index)).toEqual([]);
});

test('docs/contract.md says where each clause is shown', async () => {
  const page = contractPage((id) => shown.find((one) => one.id === id)?.file ?? 'nowhere');
  for (const [, file = ''] of page.matchAll(/\]\(\.\.\/([^)]+)\)/g)) {
    expect(existsSync(new URL(`../../${file}`, folder)), file).toBe(true);
  }
  await expect(page).toMatchFileSnapshot('../../docs/contract.md');
});
