import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freshFolder } from '../../support/database.js';
import { projectCopy } from '../../support/project-copy.js';

/** Pages whose commands install packages in the folder of a front end. */
const ofFrontEnds = ['docs/apollo.md', 'docs/code-generators.md'];

/** The commands of the README and the docs that install packages in the folder from which the gateway runs. */
export function documentedInstalls(): string[] {
  const pages = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))];
  const texts = pages
    .filter((path) => path.endsWith('.md') && !ofFrontEnds.includes(path))
    .map((path) => readFileSync(path, 'utf8'));
  return texts.flatMap((text) => text.match(/^npm (install|i|add) .+$/gm) ?? []);
}

/** Builds `dist`, and copies it to a place of its own, as it is installed. */
export async function builtFolder(): Promise<string> {
  const project = projectCopy();
  await promisify(execFile)(process.execPath, ['src/build/build.mjs'], { cwd: project });
  const folder = join(freshFolder(), 'gateway');
  cpSync(join(project, 'dist'), folder, { recursive: true });
  return folder;
}

/** Carries out a command of the docs there. */
export async function carryOut(command: string, folder: string): Promise<void> {
  await promisify(execFile)('sh', ['-c', command], { cwd: folder });
}
