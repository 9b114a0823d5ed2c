import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/common/project.js';
import { freshFolder } from './database.js';

/** A new folder with the project as it is, for commands that change it or wait for a change; packages are shared. */
export function projectCopy(): string {
  const folder = freshFolder();
  for (const name of ['src', 'rest', 'prisma', 'test/support', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
