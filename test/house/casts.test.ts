/** Casts are allowed only in the files listed here, each with a reason. */
import { expect, test } from 'vitest';
import { nodesOf, type RepositoryFile, type SyntaxNode, typescriptIn } from './files.js';

/** The permitted casts, by file, as they are written. */
const permitted: Record<string, { casts: string[]; because: string }> = {
  'src/graphql/types/record-type.ts': {
    casts: ['builder as unknown as LooseBuilder', 'builder as unknown'],
    because: 'Pothos types the fields of each model apart; the derived types serve all 38 alike',
  },
  'src/graphql/builder.ts': {
    casts: ['database.client as PrismaClient'],
    because: 'Pothos asks for a client that can connect, and never connects it',
  },
  'src/graphql/inputs/filters.ts': {
    casts: ['[type] as [Comparable]'],
    because: 'TypeScript widens a list of one to a list of many, which Pothos does not take for an input list',
  },
  'src/query/delegate.ts': {
    casts: [
      '(client as unknown as Record<string, Delegate>)[resource.delegate] as Delegate',
      'client as unknown as Record<string, Delegate>',
      'client as unknown',
    ],
    because: 'the delegates of the 38 models differ in every argument type; code for all of them needs one',
  },
  'src/model/create-resources.ts': {
    casts: ['Object.entries(catalogue) as [RecordModel, CatalogueEntry][]'],
    because: 'Object.entries forgets the names of what it lists',
  },
  'src/database/open-database.ts': {
    casts: ['new PostgresqlClient({ adapter, transactionOptions }) as PrismaClient'],
    because: 'the two generated clients are alike but for two options nobody uses',
  },
  'prisma/schema-engine.ts': {
    casts: ['bindings as EngineModule & { __wbg_set_wasm(exports: object): void }'],
    because: 'the package does not declare what its own loader calls',
  },
  'src/database/sqlite/sqlite-values.ts': {
    casts: ['convert(row[column] ?? null) as SqliteValue'],
    because: 'a row may hold what Prisma wants in place of what SQLite gave',
  },
};

const files = typescriptIn('src', 'rest', 'prisma').map((file) => {
  const nodes = nodesOf(file);
  return { ...file, casts: castsAmong(nodes, file), types: new Set(nodes.map(({ type }) => type)) };
});

test('casts stand only where they are permitted', () => {
  const found = Object.fromEntries(files.flatMap(({ path, casts }) => (casts.length > 0 ? [[path, casts]] : [])));
  expect(found).toEqual(Object.fromEntries(Object.entries(permitted).map(([path, { casts }]) => [path, casts])));
});

test.each(['TSAnyKeyword', 'TSNonNullExpression', 'TSTypeAssertion'])('there is no %s', (type) => {
  const found = files.filter(({ types }) => types.has(type));
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('no check is switched off', () => {
  const off = files.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)|biome-ignore|eslint-disable/.test(text));
  expect(off.map(({ path }) => path)).toEqual([]);
});

test('tests do not cast away what they test', () => {
  // Only the few that may hold such a cast are worth parsing.
  const wrong = typescriptIn('test').filter(
    (file) =>
      /\bas\s+(any|never|unknown)\b/.test(file.text) &&
      castsAmong(nodesOf(file), file).some((cast) => / as (any|never|unknown)$/.test(cast)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

/** The casts of a file, outer ones first. `as const` is none. */
function castsAmong(nodes: readonly SyntaxNode[], { text }: RepositoryFile): string[] {
  return nodes
    .filter(({ type }) => type === 'TSAsExpression')
    .map(({ start, end }) => text.slice(start, end).replaceAll(/\s+/g, ' '))
    .filter((cast) => !cast.endsWith(' as const'));
}
