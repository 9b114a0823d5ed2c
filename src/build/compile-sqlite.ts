/**
 * Runs after `npm ci`: compiles version 12 of better-sqlite3, or downloads it compiled, where the gateway loads it. npm would
 * do so on every version of Node, which takes a minute and needs a compiler; version 13 comes compiled.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../common/project.js';
import { safeLibrary } from '../database/sqlite/sqlite-library.js';

const folder = join(projectFolder, 'node_modules', 'better-sqlite3');

if (safeLibrary() === 'better-sqlite3' && !existsSync(join(folder, 'build/Release/better_sqlite3.node'))) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'install'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  process.exitCode = status ?? 1;
}
