/**
 * Which test files a run without named files executes. Some folders run every day: what clients rely on, the guards,
 * and the rules of the code. The files of the other folders take turns from day to day. `.ci/run`, `npm run
 * test:thorough` and runs with named files execute all of them.
 */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { allCases, hasTurn } from './thorough.js';

/**
 * Cases within a file take turns over two or four days. Files need another number: otherwise some cases would have
 * their turn only on days on which the file has not.
 */
export const daysOfFiles = 5;

/** The folders whose files run every day. */
const everyDay: readonly string[] = ['contract', 'graphql', 'house', 'input', 'matrix', 'rest'];

/** All test files, in the order of their names, so that similar neighbours run on different days. */
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
