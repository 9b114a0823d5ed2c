/** Imports go in one direction, so that each part can be understood and replaced without those above it. */
import { expect, test } from 'vitest';
import { features } from '../../src/features.js';
import { filesIn, nodesOf, typescriptIn } from './files.js';
import { type Import, importsOf } from './imports.js';
import { layers, shownToOthers } from './layers.js';
import { woven } from './woven.js';

const files = typescriptIn('src', 'rest');
const imports = files.flatMap(importsOf);
const own = imports.filter(({ isPackage }) => !isPackage);

test('every file belongs to a part that has its place', () => {
  const homeless = files.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path);
  expect(homeless).toEqual([]);
  const empty = layers
    .flat()
    .filter((part) => part !== 'src/generated/' && !files.some(({ path }) => isIn(path, part)));
  expect(empty).toEqual([]);
});

test('imports run from the top to the bottom, and a feature imports of others only what they show to those that need them', () => {
  const wrong = own.filter(
    ({ from, to }) =>
      (partOf(from) !== partOf(to) && layerOf(from) >= layerOf(to)) ||
      (featureOf(from) && featureOf(to) && featureOf(from) !== featureOf(to) && !isShown(from, to)),
  );
  const found: Record<string, string[]> = {};
  for (const { from, to } of wrong) found[from] = [...new Set([...(found[from] ?? []), to])].sort();
  expect(found).toEqual(woven);
});

/** Translations are made in the browser, so that the key of a pasted command is not sent, and by a command. */
const isShared = ({ from, to }: Pick<Import, 'from' | 'to'>): boolean =>
  isIn(from, 'src/features/pages/app/') && isIn(to, 'src/features/translation/pure/');

test('no file imports itself through others', () => {
  expect(cycles(own)).toEqual([]);
});

test('rest/ reaches a record only through a GraphQL operation', () => {
  const forbidden = /^(src\/(query|database|generated)\/|@prisma\/|better-sqlite3$|pg$)/;
  const wrong = imports.filter(({ from, to }) => from.startsWith('rest/') && forbidden.test(to));
  expect(wrong.map(shown)).toEqual([]);
});

test.each([
  ['@pothos/', ['src/graphql/', 'src/features/', 'src/generated/']],
  ['@prisma/', ['src/database/', 'src/model/', 'src/generated/']],
  ['better-sqlite3', ['src/database/sqlite/']],
  ['pg', ['src/database/']],
  ['graphql-yoga', ['src/gateway/execution/', 'src/graphql/']],
  [
    'express',
    ['src/gateway/gateway.ts', 'src/gateway/feature.ts', 'src/gateway/http/', 'src/features/pages/', 'rest/'],
  ],
  ['react', ['src/features/pages/app/']],
  [
    'zod',
    [
      'src/database/database-url.ts',
      'src/common/read-form.ts',
      'src/gateway/config/',
      'src/features/usage/',
      'src/features/people/',
    ],
  ],
  ['jose', ['src/features/people/tokens/', 'src/features/pages/app/session/']],
  ['commander', ['src/cli/', 'src/features/', 'src/gateway/feature.ts']],
])('%s is known only in its own parts', (name, parts) => {
  const users = imports.filter(
    ({ isPackage, to }) => isPackage && (name.endsWith('/') ? to.startsWith(name) : to === name),
  );
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ from }) => !parts.some((part) => isIn(from, part))).map(shown)).toEqual([]);
});

test('better-sqlite3 is loaded by sqlite-library.ts alone, which knows the version that is safe, and so is an adapter on it', () => {
  const mayNameIt = [
    'src/database/sqlite/sqlite-library.ts',
    // Prisma's adapter, on the version that sqlite-library.ts chose.
    'test/support/stock-adapter.ts',
    // These compare names, or compile what it chose.
    'src/build/compile-sqlite.ts',
    'src/build/packages.ts',
    'test/build/folder.slow.test.ts',
    'test/database/sqlite-library.test.ts',
    'test/house/engines.test.ts',
    'test/house/imports.test.ts',
  ];
  const namesIt = typescriptIn('src', 'rest', 'prisma', 'test', 'bench').filter((file) => {
    if (!file.text.includes('better-sqlite3')) return false;
    const nodes = nodesOf(file);
    const types = nodes.filter(({ importKind }) => importKind === 'type').map(({ source }) => source);
    return nodes.some(
      (node) => /^(@prisma\/adapter-)?better-sqlite3(-13)?(\/|$)/.test(String(node.value)) && !types.includes(node),
    );
  });
  expect(namesIt.map(({ path }) => path).sort()).toEqual(mayNameIt.sort());
});

test('the app in the browser shares types with the server, what a record is called and the translation of calls, and nothing else', () => {
  const app = 'src/features/pages/app/';
  const crossing = own.filter(({ from, to }) => isIn(from, app) !== isIn(to, app));
  expect(
    crossing
      .filter(
        (each) => !isShared(each) && !['src/features/pages/about.ts', 'src/model/record-name.ts'].includes(each.to),
      )
      .filter(({ from }) => isIn(from, app))
      .map(shown),
  ).toEqual([]);
  expect(crossing.filter(({ to }) => isIn(to, app)).map(shown)).toEqual([]);
});

test('nothing that runs imports a test', () => {
  const wrong = imports.filter(({ to }) => to.startsWith('test/'));
  expect(wrong.map(shown)).toEqual([]);
});

test('what a file imports is there', () => {
  const paths = new Set(filesIn().map(({ path }) => path));
  const missing = own.filter(({ to }) => !to.startsWith('src/generated/') && !paths.has(to));
  expect(missing.map(shown)).toEqual([]);
});

function layerOf(path: string): number {
  return layers.findIndex((parts) => parts.some((part) => isIn(path, part)));
}

/** `src/features/live/hub.ts` → `live` */
const featureOf = (path: string): string | undefined => /^src\/features\/([^/]+)\//.exec(path)?.[1];

function partOf(path: string): string | undefined {
  return layers.flat().find((part) => isIn(path, part));
}

const isShown = (from: string, to: string): boolean => {
  if (isShared({ from, to })) return true;
  const needs = features.find(({ name }) => name === featureOf(from))?.needs ?? [];
  return shownToOthers.includes(to) && needs.some((needed) => needed === featureOf(to));
};

const isIn = (path: string, part: string) => (part.endsWith('/') ? path.startsWith(part) : path === part);

/** Each circle once, as `a → b → a`. */
function cycles(edges: Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) return void found.push([...trail.slice(start), path].join(' → '));
    if (done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}

const shown = ({ from, to }: Import) => `${from} imports ${to}`;
