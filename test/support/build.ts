import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../src/database/migration-history.js';

const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');

/**
 * Builds into `folder` what tests start as processes of their own: what `npm run build` makes of the gateway, unchecked,
 * and the helpers beside this file. Takes a second, which the first two processes win back: they start in half the time.
 */
export async function build(folder: string): Promise<void> {
  mkdirSync(folder);
  for (const name of ['node_modules', 'prisma', 'package.json']) {
    symlinkSync(join(projectFolder, name), join(folder, name));
  }
  const config = join(folder, 'tsconfig.json');
  const include = ['src', 'rest', 'test/support/*-process.ts'].map((path) => join(projectFolder, path));
  const compilerOptions = { noCheck: true, rootDir: projectFolder, outDir: folder };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(projectFolder, 'tsconfig.build.json'), compilerOptions, include }),
  );
  await promisify(execFile)(process.execPath, [compiler, '-p', config]);
}
