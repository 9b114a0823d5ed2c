/**
 * What `npm run build` does: makes in `dist` what `npm start` runs, where it is not made of the present sources already.
 * So a gateway that was built once also starts for a user who may not write here, and a start leaves alone what another
 * gateway runs from. Whether types fit, `npm run check` says.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './database/migration-history.js';

const folder = join(projectFolder, 'dist');
/** Holds the hash of the sources; written last, so that a build that was interrupted counts as none. */
const madeOf = join(folder, 'made-of.txt');

const hash = hashOfSources();
if (hashOfBuild() !== hash) {
  const { bundled, programs, writeBundle } = await import('./start/bundle.js');
  const files = await bundled(programs, folder);
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

/** Of all that `dist` is made of; the packages are named by the lock file. */
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
