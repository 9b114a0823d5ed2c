import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/common/project.js';
import { freshFolder } from '../support/database.js';

const testFile = `
import { beforeAll, describe, expect, test } from 'vitest';
test('that holds', () => {});
describe('a suite', () => {
  test('that does not hold', () => expect(1, 'one is two').toBe(2));
});
describe('a suite whose hook fails', () => {
  beforeAll(() => { throw new Error('no database'); });
  test('that is never run', () => {});
});
setTimeout(() => { throw new Error('nobody catches this'); }, 0);
test('that waits', () => new Promise((resolve) => setTimeout(resolve, 50)));
`;

const hanging = `
import { afterAll, test } from 'vitest';
afterAll(() => new Promise(() => {}), 50);
test('that holds', () => {});
`;

/** As when the machine runs out of memory. */
const killed = `
import { test } from 'vitest';
test('that is killed', () => process.kill(process.pid, 'SIGKILL'));
`;

/** No timer fires any more, not even that of the test. */
const endless = `
import { test } from 'vitest';
test('that never gives up the processor', () => { for (;;); });
`;

/** The last lines of a run of these files, in one process. */
function lastLinesOf(files: Record<string, string>): string[] {
  const output = outputOf(files);
  return output.slice(output.lastIndexOf('\nFailed:')).split('\n').filter(Boolean).toSorted();
}

function outputOf(files: Record<string, string>): string {
  const folder = freshFolder();
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const vitest = join(projectFolder, 'node_modules/vitest/vitest.mjs');
  const support = (name: string) => join(projectFolder, 'test/support', name);
  const setupFiles = [support('name-process.ts')];
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify({ test: { setupFiles } })}`);
  const reporters = ['default', support('failed-tests.ts'), support('silent-files.ts')].map(
    (name) => `--reporter=${name}`,
  );
  const inOne = ['--no-isolate', '--maxWorkers=1', '--sequence.shuffle.files=false'];
  const parameters = [vitest, 'run', '--root', folder, ...reporters, ...inOne];
  const { status, stdout } = spawnSync(process.execPath, parameters, {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env.PATH, SILENT_FILES_AFTER: '2000' },
  });
  expect(status).toBe(1);
  return stdout;
}

test('the last lines of a failing run name what failed', () => {
  const files = {
    'failing.test.ts': testFile,
    'broken.test.ts': "throw new Error('does not load');\n",
    'hanging.test.ts': hanging,
  };
  expect(lastLinesOf(files)).toEqual([
    '  broken.test.ts: does not load',
    '  failing.test.ts > a suite > that does not hold: one is two: expected 1 to be 2 // Object.is equality',
    '  failing.test.ts > a suite whose hook fails: no database',
    '  hanging.test.ts: Hook timed out in 50ms.',
    '  outside of the tests: nobody catches this',
    'Failed:',
  ]);
});

test('they name the file whose process was killed, and those behind it that were not run', () => {
  expect(lastLinesOf({ 'killed.test.ts': killed, 'next.test.ts': '' })).toEqual([
    // On a busy machine the name of the test arrives before its process ends.
    expect.stringMatching(/^ {2}killed\.test\.ts( > that is killed)?: its process ended before it did$/),
    '  next.test.ts: it was not run, because its process ended before',
    '  outside of the tests: [vitest-pool]: Worker forks emitted error.',
    'Failed:',
  ]);
});

test('the process of a file of which nothing is heard any more is ended, and it is named', () => {
  const output = outputOf({ 'endless.test.ts': endless, 'next.test.ts': '' });
  const name = 'endless.test.ts > that never gives up the processor';
  expect(output).toContain(`\nNothing heard for 2 s, ended: vitest ${name}\n`);
  expect(output).toContain('  endless.test.ts: its process ended before it did\n');
});
