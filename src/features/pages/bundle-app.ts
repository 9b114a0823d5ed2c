/**
 * Bundles the app of the pages, and puts GraphiQL next to it. Used by `npm run build`, and at the first request for a page
 * by a gateway that runs from its sources.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, parse } from 'node:path';
import type { Metafile } from 'esbuild';
import { projectFolder } from '../../common/project.js';
import { versionHash } from '../../gateway/http/answer/packed.js';

/** The names of the files with which pages begin. */
export interface FirstFiles {
  /** The script and the style sheet of the app, which are those of every page. */
  script: string;
  style: string;
  /** By the name of a module that is loaded when it is needed, or `main`: all scripts that it consists of. */
  parts: Record<string, readonly string[]>;
  /** The large files of a tool, which the app loads on the page of the tool. */
  tools: Record<Tool, readonly string[]>;
}

/** What a page shows that others have made: GraphiQL, and Scalar, which draws the REST reference. */
export type Tool = 'graphiql' | 'scalar';

/** The names of `files` hold the hash of their content, so browsers may keep them for good. */
export async function bundleApp(): Promise<FirstFiles & { files: readonly { name: string; contents: Uint8Array }[] }> {
  const [graphiql, scalar] = [graphiqlFiles(), scalarFiles()];
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    write: false,
    metafile: true,
    absWorkingDir: projectFolder,
    entryPoints: { app: join(projectFolder, 'src/features/pages/app/main.tsx') },
    outdir: join(projectFolder, 'dist/pages'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      GRAPHIQL_FILES: namesOf(graphiql),
      SCALAR_FILES: namesOf(scalar),
    },
    tsconfig: join(projectFolder, 'src/features/pages/app/tsconfig.json'),
    logLevel: 'warning',
  });
  const own = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  const named = (pattern: RegExp) => own.find(({ name }) => pattern.test(name))?.name ?? '';
  const tools = { graphiql: firstOf(graphiql), scalar: firstOf(scalar) };
  return {
    script: named(/^app-.*\.js$/),
    style: named(/\.css$/),
    parts: partsOf(metafile.outputs),
    tools,
    files: [...own, ...graphiql, ...scalar],
  };
}

/** What a browser would otherwise learn script by script, each only when the one before has arrived. */
function partsOf(outputs: Metafile['outputs']): FirstFiles['parts'] {
  const scriptsOf = (path: string, found = new Set<string>()): Set<string> => {
    if (found.has(path)) return found;
    found.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') scriptsOf(next, found);
    }
    return found;
  };
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [{ path, entryPoint }] : [],
  );
  return Object.fromEntries(
    entries.map(({ path, entryPoint }) => [parse(entryPoint).name, [...scriptsOf(path)].map((each) => basename(each))]),
  );
}

/** A file of a tool that is served as it is, under the name by which the app knows it. */
interface Part {
  part: string;
  name: string;
  contents: Uint8Array;
}

const namesOf = (parts: readonly Part[]): string =>
  JSON.stringify(Object.fromEntries(parts.map(({ part, name }) => [part, name])));

/** The parts that a tool begins with: what it needs later, such as workers, is not among them. */
const firstOf = (parts: readonly Part[]): string[] =>
  parts.filter(({ part }) => part === 'css' || part === 'js').map(({ name }) => name);

/** Scalar, which draws the REST reference: one script, which brings its styles along. */
function scalarFiles(): Part[] {
  const contents = readFileSync(
    join(projectFolder, 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js'),
  );
  return [{ part: 'js', name: `scalar-${versionHash(contents)}.js`, contents }];
}

/** The exports of `@graphql-yoga/render-graphiql`, which holds all of GraphiQL 5 and loads nothing from elsewhere. */
const parts = { js: 'js', css: 'css', editorWorkerService: 'js', graphqlWorker: 'js', jsonWorker: 'js' };

function graphiqlFiles(): Part[] {
  const source: Record<string, string> = createRequire(import.meta.url)('@graphql-yoga/render-graphiql/graphiql');
  return Object.entries(parts).map(([part, extension]) => {
    const contents = Buffer.from(source[part] ?? '');
    return { part, name: `graphiql-${part}-${versionHash(contents)}.${extension}`, contents };
  });
}
