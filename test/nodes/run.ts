/**
 * `npm run test:nodes`: runs some of the tests on the oldest supported version of Node and on later ones. The arguments
 * are test files; without any, it runs the clauses of the REST document on both databases, the tests of SQLite's native
 * code, and the built folder, which is started as another user.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../src/database/migrations/migration-history.js';
import { nativeCodeFor } from './native-code.js';

const share = [
  'test/contract',
  'test/build',
  'test/database/migrations.slow.test.ts',
  'test/database/sqlite-values.slow.test.ts',
  'test/database/sqlite-like.test.ts',
  'test/database/sqlite-snapshot.test.ts',
  'test/database/sqlite-isolation.test.ts',
  'test/database/sqlite-group-commit.test.ts',
  'test/commands/backup.test.ts',
  'test/live/streams.test.ts',
  'test/idempotency/once.test.ts',
  'test/federation/composition.slow.test.ts',
];
const files = process.argv.length > 2 ? process.argv.slice(2) : share;
const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', import.meta.dirname];
execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });

const copy = mkdtempSync(join(tmpdir(), 'gateway-nodes-'));
// PostgreSQL runs from there as a user of its own.
chmodSync(copy, 0o755);
const failed: string[] = [];
try {
  copyProject();
  const versions = join(import.meta.dirname, 'node_modules');
  for (const name of readdirSync(versions)
    .filter((each) => each.startsWith('node-'))
    .sort()) {
    const version = join(versions, name);
    nativeCodeFor(version, copy);
    console.log(`== ${name}`);
    if (!passes(join(version, 'bin'))) failed.push(name);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
for (const name of failed) console.log(`FAILED the tests on ${name}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Copies the project with its packages: only there they find the native code that is built for another version. */
function copyProject(): void {
  const left = ['.git', 'dist', 'data', 'coverage'];
  const names = readdirSync(projectFolder).filter((name) => !left.includes(name));
  for (const options of ['-al', '-a']) {
    // Links are made in a few seconds, where both folders are on one file system.
    const paths = names.map((name) => join(projectFolder, name));
    if (spawnSync('cp', [options, ...paths, copy], { stdio: 'ignore' }).status === 0) return;
  }
  throw new Error(`The project cannot be copied to ${copy}`);
}

/** Runs the tests with the program in `folder`, which the tests start for processes of their own, too. */
function passes(folder: string): boolean {
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=dot',
    '--reporter=test/support/failed-tests.ts',
    ...files,
  ];
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  return spawnSync(join(folder, 'node'), words, { cwd: copy, env, stdio: 'inherit' }).status === 0;
}
