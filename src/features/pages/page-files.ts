/** The scripts and styles of the pages: those of `dist/pages` where the gateway is built, else made from the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { once } from '../../common/kept.js';
import { projectFolder } from '../../common/project.js';
import type { Packed } from '../../gateway/http/answer/packed.js';
import { bundleApp, type FirstFiles } from './bundle-app.js';

export interface PageFiles extends FirstFiles {
  /** The file of this name; undefined where there is none. */
  find(name: string): Packed | undefined;
}

/** The file in `dist/pages` that holds the `FirstFiles`. */
export const manifestName = 'manifest.json';

/** Reads nothing before it is called, so that the pages cost nothing if they are never opened. */
export const pageFiles: () => Promise<PageFiles> = once(openFiles);

async function openFiles(): Promise<PageFiles> {
  // `dist` is a project of its own.
  const built = join(projectFolder, 'pages');
  if (existsSync(join(built, manifestName))) return fromFolder(built);
  const { files, ...first } = await bundleApp();
  return { ...first, find: findIn(new Map(files.map(({ name, contents }) => [name, async () => contents]))) };
}

/**
 * Each file is read at its first request and then shared by all answers: those who read slowly hold no copies of their own.
 */
export function fromFolder(folder: string): PageFiles {
  const first: FirstFiles = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
  const names = readdirSync(folder).filter((name) => name !== manifestName);
  return { ...first, find: findIn(new Map(names.map((name) => [name, once(() => readFile(join(folder, name)))]))) };
}

/** The name holds the hash of the content, so the file behind it never changes. */
const findIn =
  (contents: ReadonlyMap<string, () => Promise<Uint8Array>>): PageFiles['find'] =>
  (name) =>
    contents.has(name)
      ? {
          type: extname(name).slice(1),
          etag: `W/"${name}"`,
          cacheControl: 'public, max-age=31536000, immutable',
          read: async (encoding) => contents.get(encoding ? `${name}.${encoding}` : name)?.(),
        }
      : undefined;
