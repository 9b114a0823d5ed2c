/** The schema is small enough to be read and to be loaded by tools. */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../support/schema.js';
import { sdlOf } from '../support/sdl.js';

const sdl = sdlOf(schema);

test('has at most 500 types', () => {
  const types = parse(sdl).definitions.filter(({ kind }) => kind.endsWith('TypeDefinition'));
  expect(types.length).toBeGreaterThan(300);
  expect(types.length).toBeLessThanOrEqual(500);
});

test('takes at most half a megabyte as text', () => {
  expect(Buffer.byteLength(sdl)).toBeLessThanOrEqual(500_000);
});

test('begins with the records, of which each has its parts together', () => {
  const names = [...sdl.matchAll(/^(?:type|interface|input|enum|scalar|union) (\w+)/gm)].map(([, name]) => name);
  expect(names.slice(0, 6)).toEqual([
    'Node',
    'Record',
    'MainRecord',
    'Document',
    'SigningDocument',
    'SigningSignature',
  ]);
  expect(names.slice(names.indexOf('Query'), names.indexOf('Query') + 3)).toEqual([
    'Query',
    'Mutation',
    'Subscription',
  ]);
  const partsOfLines = names.flatMap((name, index) => (/AssetRepairConsumedItem./.test(name ?? '') ? [index] : []));
  expect(partsOfLines.at(-1)).toBe((partsOfLines[0] ?? 0) + partsOfLines.length - 1);
});
