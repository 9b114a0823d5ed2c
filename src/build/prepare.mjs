/**
 * Runs after `npm ci`: generates the Prisma clients. `npm ci --omit=dev` leaves out what generates them, and runs only
 * what was built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

if (existsSync(join(project, 'node_modules', 'tsx'))) {
  const generate = join('prisma', 'generate.ts');
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', generate], { cwd: project, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
