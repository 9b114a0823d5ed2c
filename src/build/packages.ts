/** The few packages that stay packages in `dist`, because they hold native code or are found by their name at run time. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../database/migrations/migration-history.js';

/** The files and folders that are needed of each, without SQLite's sources and versions for browsers. */
const packages: Record<string, readonly string[]> = {
  'better-sqlite3': ['LICENSE', 'lib', 'build/Release/better_sqlite3.node'],
  // better-sqlite3 finds its native code by this package.
  bindings: ['LICENSE.md', 'bindings.js'],
  'file-uri-to-path': ['LICENSE', 'index.js'],
  // The engine of the migrations, which is loaded from its file.
  '@prisma/schema-engine-wasm': ['schema_engine_bg.js', 'schema_engine_bg.wasm'],
  // Used by a worker thread, which shares no bundle with the gateway.
  yaml: ['LICENSE', 'dist'],
};

export function copyPackages(folder: string): void {
  for (const [name, parts] of Object.entries(packages)) {
    for (const part of ['package.json', ...parts]) {
      const path = join('node_modules', name, part);
      cpSync(join(projectFolder, path), join(folder, path), { recursive: true });
    }
  }
}

/** The `package.json` of `dist`. It makes `dist` the folder in which the gateway finds its migrations and its version. */
export function packageFile(): string {
  const {
    name,
    version,
    private: isPrivate,
    description,
    license,
    engines,
  } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const own = { name, version, private: isPrivate, description, license, type: 'module', engines };
  return `${JSON.stringify({ ...own, bin: { records: 'src/main.js' } }, null, 2)}\n`;
}
