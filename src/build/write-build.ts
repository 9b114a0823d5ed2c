/**
 * Writes `dist`, a folder that runs alone: `node dist/src/main.js` needs nothing beside it, also where it was copied to.
 * Started by `build.mjs`, with the hash of the sources.
 */
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../common/project.js';
import { bundleApp } from '../features/pages/bundle-app.js';
import { manifestName } from '../features/pages/page-files.js';
import { compress, encodings } from '../gateway/http/answer/packed.js';
import { type BundledFile, bundled, programs, writeBundle } from './bundle.js';
import { copyPackages, packageFile } from './packages.js';

const folder = join(projectFolder, 'dist');
/** The file with the hash of the sources. It is written last, so that an interrupted build does not count. */
const madeOf = join(folder, 'made-of.txt');

const files = (await Promise.all([bundled(programs, folder), bundledPages()])).flat();
try {
  rmSync(madeOf, { force: true });
  rmSync(folder, { recursive: true, force: true });
  writeBundle(files);
  chmodSync(join(folder, 'src', 'main.js'), 0o755);
  copyPackages(folder);
  for (const history of readdirSync(join(projectFolder, 'prisma'))) {
    const migrations = join('prisma', history, 'migrations');
    if (!existsSync(join(projectFolder, migrations))) continue;
    cpSync(join(projectFolder, migrations), join(folder, migrations), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), packageFile());
  writeFileSync(madeOf, process.argv[2] ?? '');
} catch (error) {
  const problem = error instanceof Error ? error.message : error;
  process.stderr.write(
    `The gateway has to be built from its sources first, and this user may not write ${folder} (${problem}). ` +
      'Run `npm run build` as the user who may; then `npm start` works for others too.\n',
  );
  process.exitCode = 1;
}

/** The files of the pages, for `dist`: each as it is and in every compression, and the manifest. */
async function bundledPages(): Promise<readonly BundledFile[]> {
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
