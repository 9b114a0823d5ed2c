/** What each command loads, also `--help`: what only some need is imported while they run. */
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from './files.js';

const starts = ['src/main.ts', 'src/program.ts'];
const heavy = /^src\/generated\/\w+\/client\.ts$|node_modules\/(graphql|@prisma\/client|@pothos\/core|pg|express)\//;

test('no command has Prisma, GraphQL, pg or express in memory before it asks for them', async () => {
  const { metafile } = await build({
    ...{ entryPoints: [...starts], absWorkingDir: root, outdir: 'dist', bundle: true, splitting: true, metafile: true },
    ...{ write: false, platform: 'node', format: 'esm', external: ['pg-native', 'esbuild'], logLevel: 'error' },
  });
  /** The files that import each other, up to where they were first met. */
  const found = new Map(starts.map((path) => [path, path]));
  for (const [path, way] of found) {
    for (const { kind, path: next, external } of metafile.inputs[path]?.imports ?? [])
      if (kind !== 'dynamic-import' && !external && !found.has(next)) found.set(next, `${way} → ${next}`);
  }
  expect(found.size).toBeGreaterThan(50);
  expect([...found].filter(([path]) => heavy.test(path)).map(([, way]) => way)).toEqual([]);
});
