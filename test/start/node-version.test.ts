/** A Node that the gateway does not run on is refused by one line, before anything that it lacks is linked. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';

const { satisfies }: { satisfies(version: string, range: string): boolean } = createRequire(import.meta.url)('semver');
const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const programs = ['src/build/records.mjs', 'src/build/prepare.mjs', 'src/build/build.mjs'];

/** Runs a program on this Node, which says that it is another one. */
function runOn(version: string, ...words: string[]) {
  const says = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${says}`, ...words], { encoding: 'utf8' });
}

test.each(['18.20.8', '20.18.3', '20.19.0', '21.7.3', '22.11.0', '22.12.0', '23.11.1', '24.0.0', '25.9.0', '30.1.0'])(
  'Node %s is refused where `engines` does not name it',
  (version) => {
    const { status, stderr } = runOn(version, 'src/build/node-version.mjs');
    expect(status).toBe(satisfies(version, engines.node) ? 0 : 1);
    if (status !== 0) expect(stderr).toMatch(new RegExp(`^error: .* Node ${version}\\. Install Node [^\\n]*\\n$`));
  },
);

test('every program refuses it first', () => {
  const built = join(inject('testRun').built, 'src/main.js');
  for (const program of [...programs, built]) {
    const { status, stdout, stderr } = runOn('18.20.8', program, 'config');
    expect([program, status, stdout, stderr.split('\n').length, stderr]).toEqual([
      program,
      1,
      '',
      2,
      expect.stringContaining('does not run on Node 18.20.8. Install'),
    ]);
  }
  // Node links all that is imported so before it runs anything; old ones have these names.
  const imported = readFileSync(built, 'utf8').match(/(?<=^|;)import\s?\{[^}]*\}\s?from\s?"[^"]*"/gm) ?? [];
  expect(imported.filter((text) => !/\{ ?(createRequire|readFileSync|fileURLToPath)\b[^,]*\}/.test(text))).toEqual([]);
});
