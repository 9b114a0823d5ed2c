/** `npm test` runs all files but those named `*.slow.test.ts`, whatever the day. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
const testFiles = files.filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'));
const isSlow = (file: string) => file.endsWith('.slow.test.ts');
const areaOf = (file: string) => file.split('/')[0];

test('every file that looks like a test is one by its name, slow or not', () => {
  const named = files.filter((file) => /\.(tests?|spec|slow)\./.test(file) && !/node_modules|__snapshots__/.test(file));
  expect(named.filter((file) => !/^[^.]+(\.slow)?\.test\.ts$/.test(file))).toEqual([]);
  expect(testFiles.some(isSlow)).toBe(true);
});

/**
 * The project is built as a whole, which takes five seconds of processor time, or two versions of it, which takes a minute; each
 * run of the tests makes the bundle and the pages of it.
 */
const slowAreas = ['build', 'upgrade'];

test('no area has only slow files', () => {
  const areas = new Set(testFiles.map((file) => areaOf(file)));
  const asked = new Set(testFiles.filter((file) => !isSlow(file)).map((file) => areaOf(file)));
  expect([...areas].filter((area) => !asked.has(area))).toEqual(slowAreas);
});

test('the choice of files and of cases knows neither the day nor chance', () => {
  for (const file of ['../vitest.config.ts', 'support/thorough.ts', 'support/database.ts']) {
    expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/\bDate\b|performance\.|Math\.random/);
  }
});
