/**
 * Runs after `npm ci`: compiles SQLite where that is needed, and generates the Prisma clients. `npm ci --omit=dev` leaves out what
 * does it, and runs only what was built.
 */
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

if (existsSync(join(project, 'node_modules', 'tsx'))) {
  process.exitCode = run('src/build/compile-sqlite.ts') || run('prisma/generate.ts');
}

function run(program) {
  return spawnSync(process.execPath, ['--import', 'tsx', program], { cwd: project, stdio: 'inherit' }).status ?? 1;
}
