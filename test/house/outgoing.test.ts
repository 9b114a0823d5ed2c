/** The gateway answers requests, connects to its database and sends webhooks, and makes no other connections. */
import { expect, test } from 'vitest';
import { nodesOf, typescriptIn } from './files.js';

// The app of the pages runs in browsers, where the content security policy allows only requests to the gateway.
const files = typescriptIn('src', 'rest').filter(({ path }) => !path.startsWith('src/features/pages/app/'));

/** Modules that can reach another machine, or start a program that does. */
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
  'node:cluster',
  'undici',
]);

/**
 * The permitted imports of them, by file. The forked program is our own reader of SQLite; the spawned one is the shell
 * that resumes a paused reader, which gets only its process id. Workers are this program again.
 */
const permitted: Record<string, string[]> = {
  // Runs npm after an install, in no gateway.
  'src/build/compile-sqlite.ts': ['node:child_process spawnSync'],
  'src/database/sqlite/reader.ts': ['node:child_process fork', 'node:child_process spawn'],
  'src/gateway/http/server.ts': ['node:http IncomingMessage', 'node:http ServerResponse', 'node:http createServer'],
  'src/gateway/http/visit.ts': ['node:net isIP'],
  'src/common/network.ts': ['node:net BlockList', 'node:net isIP'],
  'src/gateway/start/listen.ts': ['node:net Server'],
  'src/gateway/outgoing/address-rules.ts': ['node:net isIP'],
  'src/gateway/outgoing/sender.ts': [
    'node:dns/promises Resolver',
    'node:dns/promises lookup',
    'node:http Agent',
    'node:http request',
    'node:https Agent',
    'node:net isIP',
  ],
  'src/gateway/workers/crew.ts': ['node:cluster all of it'],
};

test('of what can reach another machine, files import what serves or sends webhooks, and nothing else', () => {
  const used = files.flatMap((file) => {
    const imported = nodesOf(file).filter(
      ({ type, importKind }) => type === 'ImportDeclaration' && importKind !== 'type',
    );
    const names = imported.flatMap(({ source, specifiers }) => {
      const name = isObject(source) ? String(source.value) : '';
      return ways.has(name) ? namesIn(specifiers).map((each) => `${name} ${each}`) : [];
    });
    const reaching = names.filter((name) => name !== 'node:http STATUS_CODES').sort();
    return reaching.length > 0 ? [[file.path, reaching] as const] : [];
  });
  expect(Object.fromEntries(used)).toEqual(permitted);
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
