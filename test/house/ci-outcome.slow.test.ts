/** `.ci/run` repeats failed files once: tests what it counts and what its last lines name. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/common/project.js';
import { freshFolder } from '../support/database.js';

const late = `
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
test('that is late the first time', () => {
  const wasAsked = existsSync('asked');
  writeFileSync('asked', '');
  expect(wasAsked).toBe(true);
});
test('that fails each time', () => expect(1).toBe(2));
test('that holds', () => {});
`;
const good = "import { test } from 'vitest'; test('that holds', () => {}); test.skip('that is not asked', () => {});";
const nameless = "import { test } from 'vitest'; test.each([Number('a')])('%d is asked', () => {});";

test('what held only when it was asked again is counted as held, and named', () => {
  const folder = freshFolder();
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'late.test.ts'), late);
  writeFileSync(join(folder, 'good.test.ts'), good);
  writeFileSync(join(folder, 'broken.test.ts'), "throw new Error('does not load');\n");
  writeFileSync(join(folder, 'empty'), '');
  const node = (...parameters: string[]) =>
    spawnSync(process.execPath, parameters, { encoding: 'utf8', cwd: folder }).stdout.trim().split('\n');
  const run = (report: string, ...files: string[]) =>
    node(
      join(projectFolder, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--root', folder, '--reporter=json', `--outputFile=${report}`, ...files],
    );
  const outcome = (...parameters: string[]) => node(join(projectFolder, '.ci/outcome.mjs'), ...parameters);

  run('first');
  expect(outcome('files', 'first').toSorted()).toEqual(['broken.test.ts', 'late.test.ts']);
  expect(outcome('totals', 'first')).toEqual(['2 3']);
  run('again', 'late', 'broken');
  expect(outcome('totals', 'first', 'again')).toEqual(['3 2']);
  expect(outcome('names', 'first', 'again').toSorted()).toEqual([
    'FAILED broken.test.ts: does not load',
    'FAILED late.test.ts: that fails each time',
    'HELD ONLY WHEN ASKED AGAIN late.test.ts: that is late the first time',
  ]);
  writeFileSync(join(folder, 'nameless.test.ts'), nameless);
  run('without', 'nameless');
  expect(outcome('totals', 'without')).toEqual(['0 1']);
  expect(outcome('names', 'without')).toEqual(['FAILED nameless.test.ts: NaN is asked']);
  expect(outcome('totals', 'empty')).toEqual(['0 0']);
});

test('what did not fail by being late is not asked again: the words of the reporter are those the gate looks for', () => {
  const words = /grep -qE '([^']+)'/.exec(readFileSync(join(projectFolder, '.ci/run'), 'utf8'))?.[1]?.split('|') ?? [];
  const reporter = readFileSync(join(projectFolder, 'test/support/failed-tests.ts'), 'utf8');
  expect(words).toHaveLength(2);
  for (const word of words) expect(reporter).toContain(word);
});
