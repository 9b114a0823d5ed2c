/**
 * `npm run test:nodes`: installs the gateway on the newest release of each version of Node, as the README says, and runs there the
 * clauses of the REST document on both databases, the tests of SQLite, the built folder, and real gateways that are killed
 * and attacked. Words choose versions, and `!attack` leaves out the attacks: `npm run test:nodes -- 20.19 26 '!attack'`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { projectFolder } from '../../src/common/project.js';

const files = [
  'test/contract',
  'test/build',
  'test/database/migrations.',
  'test/database/sqlite-',
  'test/features/backup/backup.test.ts',
  'test/features/live/streams.test.ts',
  'test/features/idempotency/once.test.ts',
];
const tests = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=dot',
  '--reporter=test/support/failed-tests.ts',
  ...files,
];
const faults = (...words: string[]) => ['--import', 'tsx', 'test/faults/run.ts', ...words];

const words = process.argv.slice(2);
const isChosen = (name: string) =>
  words.every((word) => word.startsWith('!')) || words.includes(name.slice('node-'.length));
execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', import.meta.dirname], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const versions = join(import.meta.dirname, 'node_modules');
const chosen = readdirSync(versions).filter((name) => name.startsWith('node-') && isChosen(name));
const failed = chosen.sort().filter((name) => !passesOn(join(versions, name)));
for (const name of failed) console.log(`FAILED on ${name}`);
if (chosen.length === 0) console.log('No version was chosen');
process.exitCode = failed.length > 0 || chosen.length === 0 ? 1 : 0;

/** Whether everything holds in a new checkout, with the Node in this folder, which also has its headers. */
function passesOn(version: string): boolean {
  const copy = mkdtempSync(join(tmpdir(), 'gateway-nodes-'));
  // PostgreSQL runs from there as a user of its own.
  chmodSync(copy, 0o755);
  const env = { ...process.env, PATH: `${version}/bin:${process.env.PATH}`, npm_config_nodedir: version };
  const run = (program: string, ...parameters: string[]) => {
    console.log(`== ${basename(version)}: ${[basename(program), ...parameters].join(' ')}`);
    return spawnSync(program, parameters, { cwd: copy, env, stdio: 'inherit' }).status === 0;
  };
  const node = join(version, 'bin/node');
  const attacks = words.includes('!attack') ? [] : [faults('attack')];
  try {
    copyProject(copy);
    return (
      run('npm', 'ci') &&
      run('npm', 'run', '--silent', 'build') &&
      [tests, faults('kill -9'), ...attacks].map((each) => run(node, ...each)).every(Boolean)
    );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyProject(copy: string): void {
  const left = new Set(['.git', 'node_modules', 'generated', 'dist', 'data', 'coverage', '.tmp']);
  cpSync(projectFolder, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
}
