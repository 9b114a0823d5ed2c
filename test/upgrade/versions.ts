/** Other versions of the gateway, each in a folder of its own: the previous one and a following one. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../src/common/project.js';
import { freshFolder } from '../support/database.js';
import { projectCopy } from '../support/project-copy.js';

const execute = promisify(execFile);

/** The arguments with which Node starts a version. */
export type Program = readonly string[];

/** The following version: this one with a further field, made as the README says. */
export async function followingVersion(): Promise<Program> {
  const project = projectCopy();
  const models = join(project, 'prisma/models/assets.prisma');
  const text = readFileSync(models, 'utf8');
  const changed = text.replace(
    /^model AssetRepair \{\n/m,
    '$&  /// What was noted at the repair.\n  notedThen String?\n',
  );
  if (changed === text) throw new Error('The model AssetRepair was not found');
  writeFileSync(models, changed);
  await execute('npm', ['--prefix', project, 'run', 'migration', '--', 'noted_then']);
  return programIn(project);
}

/** The last commit of 0.1, on which the data of others were made. */
const released = 'f6cc63a4e05315ae372e96c0629066a0be07641f';

/**
 * The version before, 0.1. Undefined in a checkout whose history does not reach back to it, such as a shallow one; `.ci/run`
 * fetches the history, and says so where it cannot.
 */
export async function versionBefore(): Promise<Program | undefined> {
  if (!(await git('rev-parse', '--verify', '--quiet', `${released}^{commit}`))) return undefined;
  const project = freshFolder();
  const archive = join(project, 'version.tar');
  const parts = ['src', 'rest', 'prisma', 'package.json', 'package-lock.json', 'tsconfig.json'];
  await git('archive', `--output=${archive}`, released, ...parts);
  await execute('tar', ['-xf', archive, '-C', project]);
  symlinkSync(join(projectFolder, 'node_modules'), join(project, 'node_modules'));
  return programIn(project);
}

/** Runs from its sources, because the packages that build the pages of another version may not be installed. */
async function programIn(project: string): Promise<Program> {
  await execute(process.execPath, ['--import', 'tsx', 'prisma/generate.ts'], { cwd: project });
  return ['--import', join(projectFolder, 'node_modules/tsx/dist/loader.mjs'), join(project, 'src/main.ts')];
}

/** The output of git; '' if it fails or there is no repository. */
async function git(...words: string[]): Promise<string> {
  const answer = await execute('git', words, { cwd: projectFolder }).catch(() => ({ stdout: '' }));
  return answer.stdout.trim();
}
