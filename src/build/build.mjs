/**
 * `npm run build`: builds the gateway into `dist`, unless `dist` is already up to date with the sources. So a built
 * gateway also starts for a user without write access, and a start never replaces files that another gateway is running
 * from. Plain JavaScript, because it also runs where the development packages are not installed. Types are checked by
 * `npm run check`, not here.
 */
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(import.meta.dirname, '../..');

/** The exit code: 0 if `dist` is up to date; otherwise the reason has been printed. */
export function build() {
  const hash = hashOfSources();
  if (hashOfBuild() === hash) return 0;
  if (!['tsx', 'esbuild'].every(isInstalled)) {
    process.stderr.write(
      'The folder dist is missing, or was built from other sources or for another version of Node, and the packages that ' +
        'build it are not installed. Run `npm ci && npm run build`, or copy the folder dist from where that was done.\n',
    );
    return 1;
  }
  const program = [join('src', 'build', 'write-build.ts'), hash];
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', ...program], { cwd: project, stdio: 'inherit' });
  return status ?? 1;
}

function isInstalled(name) {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
}

function hashOfBuild() {
  try {
    return readFileSync(join(project, 'dist', 'made-of.txt'), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * The hash of everything that `dist` is made from. The lock file stands for the packages, `prisma/` for what is generated
 * from it; the version of Node's interface is that of the native code.
 */
function hashOfSources() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}\0`);
  for (const name of ['package.json', 'package-lock.json', ...['src', 'rest', 'prisma'].flatMap(filesIn)]) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(project, name)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(project, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith(join('src', 'generated')))
    .sort();
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) process.exitCode = build();
