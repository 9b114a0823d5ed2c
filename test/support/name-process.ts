/** A set-up file that names the process after the test file and the test, so that a list of processes shows them. */
import { beforeEach, expect } from 'vitest';
import { titleOf } from './silent-files.js';

const file = titleOf(expect.getState().testPath);
process.title = file;
beforeEach(({ task }) => {
  process.title = `${file} > ${task.name}`;
});
