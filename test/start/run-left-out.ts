/**
 * `npm run test:features`: the tests of the REST document without each feature, without all of them, and in a copy of the
 * checkout from which three folders and their lines are deleted, which has to compile.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { features } from '../../src/features.js';

const deleted = ['aggregates', 'backup', 'tracing'];
const failed: string[] = [];

function run(what: string, words: readonly string[], folder = '.', environment: NodeJS.ProcessEnv = {}): void {
  console.log(`\n== ${what}`);
  const { status } = spawnSync('npx', words, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  if (status !== 0) failed.push(what);
}

const contract = ['vitest', 'run', 'test/contract'];
const names = features.map(({ name }) => name);
for (const name of [...names, names.join()]) run(`without ${name}`, contract, '.', { LEFT_OUT: name });

const copy = mkdtempSync(join(tmpdir(), 'left-out-'));
const isCopied = (path: string) => !['node_modules', '.git', 'dist'].includes(basename(path));
cpSync('.', copy, { recursive: true, filter: isCopied });
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
const list = join(copy, 'src/features.ts');
const lines = readFileSync(list, 'utf8').split('\n');
writeFileSync(
  list,
  lines.filter((line) => !deleted.some((name) => line.includes(`/${name}/`) || line.trim() === `${name},`)).join('\n'),
);
for (const name of deleted) rmSync(join(copy, 'src/features', name), { recursive: true });
const only = { extends: './tsconfig.json', include: ['src', 'rest'], exclude: ['src/features/pages/app'] };
writeFileSync(join(copy, 'tsconfig.left.json'), JSON.stringify(only));
run(`compiling without the folders of ${deleted}`, ['tsc', '--noEmit', '-p', 'tsconfig.left.json'], copy);
run(`without the folders of ${deleted}`, contract, copy);
rmSync(copy, { recursive: true });

console.log(failed.length > 0 ? `\nFailed: ${failed.join('; ')}` : '\nThe contract holds without each feature.');
process.exit(failed.length > 0 ? 1 : 0);
