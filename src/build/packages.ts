/** The few packages that stay packages in `dist`, because they hold native code or are found by their name at run time. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../common/project.js';
import { safeLibrary } from '../database/sqlite/sqlite-library.js';

/** The version of better-sqlite3 that is safe on the Node that builds. */
const library = safeLibrary();

/** The files and folders that are needed of each, without SQLite's sources and versions for browsers. */
const packages: Record<string, readonly string[]> = {
  [library]: ['LICENSE', 'lib', ...nativeCode()],
  // Version 12 of better-sqlite3 finds its native code by this package.
  ...(library === 'better-sqlite3' && {
    bindings: ['LICENSE.md', 'bindings.js'],
    'file-uri-to-path': ['LICENSE', 'index.js'],
  }),
  // Bundled too: an SDK for traces, installed beside it, has to find the same version of the API.
  '@opentelemetry/api': ['LICENSE', 'build/src'],
  // Used by a worker thread, which shares no bundle with the gateway.
  yaml: ['LICENSE', 'dist'],
};

/** What was compiled here; otherwise what the package brings for this kind of machine, with every C library. */
function nativeCode(): string[] {
  const folder = join(projectFolder, 'node_modules', library);
  const compiled = 'build/Release/better_sqlite3.node';
  if (existsSync(join(folder, compiled))) return [compiled];
  if (!existsSync(join(folder, 'prebuilds'))) return [];
  const isForHere = (name: string) => name.startsWith(process.platform) && name.endsWith(`-${process.arch}.node`);
  return readdirSync(join(folder, 'prebuilds'))
    .filter(isForHere)
    .map((name) => `prebuilds/${name}`);
}

/** What the package in a folder of the project says of itself. */
const described = (...folder: string[]) =>
  JSON.parse(readFileSync(join(projectFolder, ...folder, 'package.json'), 'utf8'));

export function copyPackages(folder: string): void {
  for (const [name, parts] of Object.entries(packages)) {
    for (const part of ['package.json', ...parts]) {
      const path = join('node_modules', name, part);
      cpSync(join(projectFolder, path), join(folder, path), { recursive: true });
    }
  }
}

/**
 * The `package.json` of `dist`. It makes `dist` the folder in which the gateway finds its migrations and its version. It
 * names the packages there, so that `npm install` of another one keeps them.
 */
export function packageFile(): string {
  const { name, version, private: isPrivate, description, license, engines } = described();
  const own = { name, version, private: isPrivate, description, license, type: 'module', engines };
  const dependencies = Object.fromEntries(
    Object.keys(packages).map((each) => {
      const { name: real, version: installed } = described('node_modules', each);
      return [each, real === each ? installed : `npm:${real}@${installed}`];
    }),
  );
  return `${JSON.stringify({ ...own, bin: { records: 'src/main.js' }, dependencies }, null, 2)}\n`;
}
