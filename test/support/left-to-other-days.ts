import type { Reporter } from 'vitest/node';
import { filesLeftOut, testFiles } from './files-in-turn.js';

/** Says at the end of a run of all what it has not asked, and how to ask it. */
export default class LeftToOtherDays implements Reporter {
  onTestRunEnd(): void {
    if (filesLeftOut.length === 0) return;
    const count = `${filesLeftOut.length} of ${testFiles.length} files`;
    process.stdout.write(`\nLeft to other days: ${count}. THOROUGH=cases npm test asks them all, as .ci/run does.\n`);
  }
}
