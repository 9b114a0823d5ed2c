/**
 * Which test files a run of all asks. What clients are promised, each guard in each way in and the rules of the house are
 * asked every day. The files of the other rooms take turns from day to day; `.ci/run`, `npm run test:thorough` and who
 * names the files of a run ask them all.
 */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { allCases, hasTurn } from './thorough.js';

/**
 * What takes turns within a file takes two or four days, so files take another number: otherwise some of it would have its
 * turn only when the file has not.
 */
export const daysOfFiles = 5;

/** The folders whose files are asked every day. */
const everyDay: readonly string[] = ['contract', 'graphql', 'house', 'input', 'matrix', 'rest'];

/** All test files, in the order of their names: neighbours, which are alike, have their turns on different days. */
export const testFiles: readonly string[] = readdirSync(resolve(import.meta.dirname, '..'), { recursive: true })
  .map((path) => String(path).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`)
  .sort();

export const filesInTurn: readonly string[] = testFiles.filter((file) => !everyDay.includes(file.split('/')[1] ?? ''));

/** Those whose turn it is not. */
export const filesLeftOut: readonly string[] = allCases
  ? []
  : filesInTurn.filter((_, index) => !hasTurn(index, daysOfFiles));
