import { join } from 'node:path';
import { bundleApp } from '../features/pages/bundle-app.js';
import { compress, encodings } from '../features/pages/packed.js';
import { manifestName } from '../features/pages/page-files.js';
import type { BundledFile } from './bundle.js';

/** The files of the pages, for `dist`: each as it is and in every compression, and the manifest. */
export async function bundledPages(folder: string): Promise<readonly BundledFile[]> {
  const { files, ...first } = await bundleApp();
  const pages = join(folder, 'pages');
  const all = files.flatMap(({ name, contents }) => [
    Promise.resolve({ path: join(pages, name), contents }),
    ...encodings.map(async (encoding) => ({
      path: join(pages, `${name}.${encoding}`),
      contents: await compress[encoding](contents),
    })),
  ]);
  const manifest = { path: join(pages, manifestName), contents: Buffer.from(JSON.stringify(first)) };
  return [...(await Promise.all(all)), manifest];
}
