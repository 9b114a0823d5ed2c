/**
 * `npm run build`: bundles the gateway into `dist`, unless `dist` is already up to date with the sources. So a built
 * gateway also starts for a user without write access, and a start never replaces files that another gateway is running
 * from. Types are checked by `npm run check`, not here.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './database/migrations/migration-history.js';

const folder = join(projectFolder, 'dist');
/** The file with the hash of the sources. It is written last, so that an interrupted build does not count. */
const madeOf = join(folder, 'made-of.txt');

const hash = hashOfSources();
if (hashOfBuild() !== hash) {
  const { bundled, programs, writeBundle } = await import('./start/bundle.js');
  const { bundledPages } = await import('./start/bundle-pages.js');
  const files = (await Promise.all([bundled(programs, folder), bundledPages(folder)])).flat();
  try {
    rmSync(madeOf, { force: true });
    rmSync(folder, { recursive: true, force: true });
    writeBundle(files);
    writeFileSync(madeOf, hash);
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    process.stderr.write(
      `The gateway has to be built from its sources first, and this user may not write ${folder} (${problem}). ` +
        'Run `npm run build` as the user who may; then `npm start` works for others too.\n',
    );
    process.exitCode = 1;
  }
}

function hashOfBuild(): string | undefined {
  try {
    return readFileSync(madeOf, 'utf8');
  } catch {
    return undefined;
  }
}

/** The hash of everything that `dist` is built from; the lock file stands for the packages. */
function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const name of ['package-lock.json', ...filesIn('src'), ...filesIn('rest')]) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(projectFolder, name)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(name: string): string[] {
  return readdirSync(join(projectFolder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectFolder.length))
    .sort();
}
