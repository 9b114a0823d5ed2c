/** The gateway answers those who ask it, speaks to its database, and to nobody else. */
import { expect, test } from 'vitest';
import { nodesOf, typescriptIn } from './files.js';

const files = typescriptIn('src', 'rest');

/** What can reach another machine, or start a program that does. */
const ways = new Set([
  'node:http',
  'node:https',
  'node:http2',
  'node:net',
  'node:tls',
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:child_process',
  'undici',
]);

// What is forked is the reader of SQLite, a program of our own.
test('of what can reach another machine, files import what serves and nothing else', () => {
  const imported = files.flatMap((file) =>
    [...nodesOf(file)].filter(({ type, importKind }) => type === 'ImportDeclaration' && importKind !== 'type'),
  );
  const used = imported.flatMap(({ source, specifiers }) => {
    const name = isObject(source) ? String(source.value) : '';
    return ways.has(name) ? namesIn(specifiers).map((imported) => `${name} ${imported}`) : [];
  });
  expect([...new Set(used)].sort()).toEqual([
    'node:child_process fork',
    'node:http STATUS_CODES',
    'node:http createServer',
  ]);
});

test('no file fetches, and none opens a socket', () => {
  const callers = files.filter((file) =>
    [...nodesOf(file)].some(
      ({ type, callee }) =>
        (type === 'CallExpression' || type === 'NewExpression') &&
        isObject(callee) &&
        /^(fetch|WebSocket|EventSource|XMLHttpRequest)$/.test(String(callee.name)),
    ),
  );
  expect(callers.map(({ path }) => path)).toEqual([]);
});

/** The names that an import brings, those of types left out. */
function namesIn(specifiers: unknown): string[] {
  if (!Array.isArray(specifiers)) return [];
  return specifiers
    .filter((specifier) => isObject(specifier) && specifier.importKind !== 'type')
    .map(({ imported }) => (isObject(imported) ? String(imported.name) : 'all of it'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
