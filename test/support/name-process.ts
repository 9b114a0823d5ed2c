/**
 * A set-up file that names the process after the test file and the test, so that a list of processes shows them, and
 * refuses titles that nobody meant.
 */
import { beforeEach, expect } from 'vitest';
import { titleOf } from './silent-files.js';

const file = titleOf(expect.getState().testPath);
process.title = file;
beforeEach(({ task }) => {
  // `%i` and `%d` write it for what is no number, and for a value that is missing.
  if (/\bNaN\b/.test(task.fullName)) throw new Error('The title of a test says NaN. Write %s, or give the number.');
  process.title = `${file} > ${task.name}`;
});
