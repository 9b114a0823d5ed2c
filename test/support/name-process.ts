/** A set-up file: the process of a test bears the names of its file and of the test, for whoever lists the processes. */
import { beforeEach, expect } from 'vitest';
import { titleOf } from './silent-files.js';

const file = titleOf(expect.getState().testPath);
process.title = file;
beforeEach(({ task }) => {
  process.title = `${file} > ${task.name}`;
});
