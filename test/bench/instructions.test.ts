/** The instructions of a request, counted by valgrind: fifteen percent more than committed are too many. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillStatements } from '../../bench/data.js';
import { canCountInstructions, instructionsOf } from '../../bench/instructions.js';
import { runOn } from '../../bench/run-sql.js';
import type { WorkloadName } from '../../bench/workloads.js';
import { projectFolder } from '../../src/common/project.js';
import { freshDatabaseUrl } from '../support/database.js';
import { committedFigures, isWriting, writeFigures } from './figures.js';

const names: WorkloadName[] = ['W1', 'W2', 'W3', 'W4', 'W4b', 'W5'];
const amounts = { repairs: 200, quotations: 40 };

test('a request takes no more instructions than committed', { timeout: 1_800_000 }, async ({ skip }) => {
  skip(!process.env.BENCH_INSTRUCTIONS, 'set BENCH_INSTRUCTIONS=1 to count them, which takes some ten minutes');
  skip(!canCountInstructions, 'valgrind is not installed');
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: projectFolder, stdio: 'inherit' });
  const url = await freshDatabaseUrl('sqlite');
  await runOn(url, fillStatements('sqlite', amounts));

  const main = join(projectFolder, 'dist', 'src', 'main.js');
  const found = await instructionsOf(main, names, url, { ...amounts, cursor: '' });

  if (isWriting) {
    writeFigures((figures) => {
      figures.instructions = found;
    });
  }
  const committed = committedFigures().instructions;
  for (const name of names) {
    expect.soft(found[name], name).toBeLessThan((committed[name] ?? Number.NaN) * 1.15);
  }
});
