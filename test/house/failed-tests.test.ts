import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/database/migrations/migration-history.js';
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

test('the last lines of a failing run name what failed', () => {
  const folder = freshFolder();
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'failing.test.ts'), testFile);
  writeFileSync(join(folder, 'broken.test.ts'), "throw new Error('does not load');\n");
  const vitest = join(projectFolder, 'node_modules/vitest/vitest.mjs');
  const reporter = join(projectFolder, 'test/support/failed-tests.ts');
  const parameters = [vitest, 'run', '--root', folder, '--reporter=default', `--reporter=${reporter}`];
  const { status, stdout } = spawnSync(process.execPath, parameters, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect(status).toBe(1);
  expect(stdout.slice(stdout.lastIndexOf('\nFailed:\n')).split('\n').filter(Boolean).toSorted()).toEqual([
    '  broken.test.ts: does not load',
    '  failing.test.ts > a suite > that does not hold: one is two: expected 1 to be 2 // Object.is equality',
    '  failing.test.ts > a suite whose hook fails: no database',
    '  outside of the tests: nobody catches this',
    'Failed:',
  ]);
});
