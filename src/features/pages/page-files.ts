/** The scripts and styles of the pages, from `dist/pages` where the gateway is built, else made from the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../../common/once.js';
import type { AppBundle, FirstFiles } from './bundle-app.js';
import type { Packed } from './packed.js';

export interface PageFiles extends FirstFiles {
  /** The file of this name; undefined where there is none. */
  find(name: string): Packed | undefined;
}

/** The file in `dist/pages` that holds the `FirstFiles`. */
export const manifestName = 'manifest.json';

/** Reads nothing before it is called, so that the pages cost nothing if they are never opened. */
export const pageFiles: () => Promise<PageFiles> = once(openFiles);

async function openFiles(): Promise<PageFiles> {
  const folder = builtFolder();
  if (folder) return fromFolder(folder);
  const { bundleApp } = await import('./bundle-app.js');
  return fromBundle(await bundleApp());
}

/** `dist/pages`, if this code runs from `dist`: a bundle may be any number of folders below it. */
function builtFolder(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const pages = join(folder, 'pages');
    if (existsSync(join(pages, manifestName))) return pages;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

/**
 * Each file is read at its first request and then shared by all answers: those who read slowly hold no copies of their own.
 */
export function fromFolder(folder: string): PageFiles {
  const first: FirstFiles = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
  const names = new Set(readdirSync(folder));
  const contents = new Map(Array.from(names, (file) => [file, once(() => readFile(join(folder, file)))]));
  const find = (name: string) =>
    names.has(name) && name !== manifestName
      ? forGood(name, async (encoding) => {
          return contents.get(encoding ? `${name}.${encoding}` : name)?.();
        })
      : undefined;
  return { ...first, find };
}

function fromBundle({ files, ...first }: AppBundle): PageFiles {
  const contents = new Map(files.map(({ name, contents }) => [name, contents]));
  const find = (name: string) =>
    contents.has(name) ? forGood(name, async (encoding) => (encoding ? undefined : contents.get(name))) : undefined;
  return { ...first, find };
}

/** The name holds the hash of the content, so the file behind it never changes. */
const forGood = (name: string, read: Packed['read']): Packed => ({
  type: extname(name).slice(1),
  // A weak validator, because the compressed and the plain file share it.
  etag: `W/"${name}"`,
  cacheControl: 'public, max-age=31536000, immutable',
  read,
});
