import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '../database/migration-history.js';

/** The programs of the gateway: those that people start, and the one that the gateway starts for reads that may take long. */
export const programs = ['src/main.ts', 'src/keys.ts', 'src/migrate.ts', 'src/database/sqlite-reader-process.ts'];

/** Writes what `bundled` makes. */
export async function bundle(entries: readonly string[], folder: string): Promise<void> {
  writeBundle(await bundled(entries, folder));
}

export function writeBundle(files: readonly BundledFile[]): void {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

/** One file that `bundled` makes. */
export interface BundledFile {
  /** Absolute. */
  path: string;
  contents: Uint8Array;
}

/**
 * Makes JavaScript of `entries`, paths from the project's folder, under the same paths in `folder`: each with all
 * packages it needs in one file, but for what they share and what is loaded later. Node takes longer to find and link a
 * thousand modules than the gateway takes for all the rest of its start.
 */
export async function bundled(entries: readonly string[], folder: string): Promise<readonly BundledFile[]> {
  // The reader is small and shares nothing, so that the gateway is not cut into more files for its sake.
  const isReader = (path: string) => path.endsWith('/sqlite-reader-process.ts');
  const parts = [entries.filter((path) => !isReader(path)), entries.filter(isReader)];
  return (await Promise.all(parts.map((part) => bundledTogether(part, folder)))).flat();
}

async function bundledTogether(entries: readonly string[], folder: string): Promise<readonly BundledFile[]> {
  const { outputFiles } = await build({
    write: false,
    entryPoints: entries.map((path) => join(projectFolder, path)),
    outbase: projectFolder,
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Packages check less of what their callers do, and show less of what went wrong.
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process.env.NODE_ENV': '"production"' },
    // What is native, and what `pg` looks for and does not need.
    external: ['better-sqlite3', 'pg-native'],
    // Node keeps the text of what it runs in memory. Names stay, and lines short enough for a stack to point at.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    sourcemap: 'linked',
    sourcesContent: false,
    // CommonJS packages call `require`, which modules do not have.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: 'warning',
  });
  return outputFiles;
}
