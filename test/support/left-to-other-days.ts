import type { Reporter } from 'vitest/node';
import { filesLeftOut, testFiles } from './files-in-turn.js';

/** Prints at the end of a run which files it left out, and how to run them. */
export default class LeftToOtherDays implements Reporter {
  onTestRunEnd(): void {
    if (filesLeftOut.length === 0) return;
    const count = `${filesLeftOut.length} of ${testFiles.length} files`;
    process.stdout.write(`\nLeft to other days: ${count}. THOROUGH=cases npm test asks them all, as .ci/run does.\n`);
  }
}
