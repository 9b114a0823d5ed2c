import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '../common/project.js';

/** The entry points: the command line, and the reader process that the gateway starts. */
export const programs = ['src/main.ts', 'src/database/sqlite/reader-process.ts'];

export function writeBundle(files: readonly BundledFile[]): void {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

export interface BundledFile {
  /** An absolute path. */
  path: string;
  contents: Uint8Array;
}

/**
 * Bundles `entries`, paths relative to the project folder, to JavaScript in `folder`. Each entry becomes one file with
 * all packages it needs, apart from shared and lazily loaded parts. Without bundling, Node takes longer to find and
 * link a thousand modules than the gateway needs for the rest of its start.
 */
export async function bundled(entries: readonly string[], folder: string): Promise<readonly BundledFile[]> {
  // The reader process is bundled separately: sharing code with it would split the gateway into more files.
  const isReader = (path: string) => path.endsWith('/reader-process.ts');
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
    // Makes packages skip development checks and messages.
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process.env.NODE_ENV': '"production"' },
    // The ES modules of GraphQL.js load faster than its CommonJS ones, which is what `require` in a package would get.
    alias: { graphql: 'graphql/index.mjs' },
    // pg-native is an optional dependency of `pg`; esbuild bundles the pages of a gateway that runs from its sources.
    external: ['pg-native', 'esbuild'],
    // Node keeps the source text in memory. Names and line breaks stay, so that stack traces are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    sourcemap: 'linked',
    sourcesContent: false,
    // CommonJS packages call `require`, which ES modules lack.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: 'warning',
  });
  return outputFiles;
}
