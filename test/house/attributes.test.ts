/** The attributes of spans are named in one file, which docs/traces.md shows as the list of all. */
import { expect, test } from 'vitest';
import { attributes } from '../../src/features/tracing/attributes.js';
import { nodesOf, type RepositoryFile, type SyntaxNode, typescriptIn } from './files.js';

const list = 'src/features/tracing/attributes.ts';
const others = typescriptIn('src').filter(({ path }) => path !== list);
const tracing = others.filter(({ path, text }) => text.includes('@opentelemetry/') && !path.startsWith('src/build/'));

test('no other file states the name of an attribute', () => {
  const names = Object.values<string>(attributes);
  const mentioning = others.filter(({ text }) => names.some((name) => text.includes(name)));
  const stated = mentioning.flatMap((file) =>
    literalsOf(file).flatMap(({ value }) => (names.includes(String(value)) ? [`${file.path} states ${value}`] : [])),
  );
  expect(stated).toEqual([]);
});

test('where spans are made, no other text has the form of such a name', () => {
  expect(tracing.length).toBeGreaterThan(1);
  const dotted = tracing.flatMap((file) =>
    literalsOf(file).flatMap(({ value }) =>
      /^[a-z_]+(\.[a-z_]+)+$/.test(String(value)) ? [`${file.path} states ${value}`] : [],
    ),
  );
  expect(dotted).toEqual([]);
});

test('each is set on some span', () => {
  const unused = Object.keys(attributes).filter(
    (name) => !tracing.some(({ text }) => new RegExp(`\\battributes\\.${name}\\b`).test(text)),
  );
  expect(unused).toEqual([]);
});

/** The texts in the code of a file; those in comments are none. */
const literalsOf = (file: RepositoryFile): SyntaxNode[] => nodesOf(file).filter(({ type }) => type === 'Literal');
