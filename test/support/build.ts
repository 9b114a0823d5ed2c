import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundled, programs, writeBundle } from '../../src/build/bundle.js';
import { projectFolder } from '../../src/common/project.js';

/**
 * Builds into `folder` the programs that tests start: the gateway, as `npm run build` makes it, and the helpers beside
 * this file.
 */
export async function build(folder: string): Promise<void> {
  mkdirSync(folder);
  for (const name of ['node_modules', 'prisma', 'package.json']) {
    symlinkSync(join(projectFolder, name), join(folder, name));
  }
  const helpers = readdirSync(join(projectFolder, 'test/support')).filter((name) => name.endsWith('-process.ts'));
  writeBundle(await bundled([...programs, ...helpers.map((name) => `test/support/${name}`)], folder));
}
