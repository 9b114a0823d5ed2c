/**
 * Writes `dist`, a folder that runs alone: `node dist/src/main.js` needs nothing beside it, also where it was copied to.
 * Started by `build.mjs`, with the hash of the sources.
 */
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../common/project.js';
import { bundled, programs, writeBundle } from './bundle.js';
import { bundledPages } from './bundle-pages.js';
import { copyPackages, packageFile } from './packages.js';

const folder = join(projectFolder, 'dist');
/** The file with the hash of the sources. It is written last, so that an interrupted build does not count. */
const madeOf = join(folder, 'made-of.txt');

const files = (await Promise.all([bundled(programs, folder), bundledPages(folder)])).flat();
try {
  rmSync(madeOf, { force: true });
  rmSync(folder, { recursive: true, force: true });
  writeBundle(files);
  chmodSync(join(folder, 'src', 'main.js'), 0o755);
  copyPackages(folder);
  for (const history of readdirSync(join(projectFolder, 'prisma'))) {
    const migrations = join('prisma', history, 'migrations');
    if (!existsSync(join(projectFolder, migrations))) continue;
    cpSync(join(projectFolder, migrations), join(folder, migrations), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), packageFile());
  writeFileSync(madeOf, process.argv[2] ?? '');
} catch (error) {
  const problem = error instanceof Error ? error.message : error;
  process.stderr.write(
    `The gateway has to be built from its sources first, and this user may not write ${folder} (${problem}). ` +
      'Run `npm run build` as the user who may; then `npm start` works for others too.\n',
  );
  process.exitCode = 1;
}
