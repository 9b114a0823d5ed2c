import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { records } from '../commands/records.js';
import { freshFolder } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { settings } from '../support/settings.js';
import { Sqlite } from '../support/sqlite-library.js';

const emptyUrl = 'DATABASE_URL is empty. Give it a value, or do not set it: the default is file:./data/records.db.\n';

test('wrong and empty settings are reported all at once, with the correction and without secrets', async () => {
  const gateway = startProcess({ PORT: 'http', DATABASE_URL: '', API_KEY: 'canary', LOG_LEVEL: 'loud' });
  expect(await gateway.ended).toBe(2);
  expect(gateway.log()).toBe(
    `error: 4 problems
  PORT must be a whole number from 0 to 65535, not "http".
  ${emptyUrl.trimEnd()}
  API_KEY must be 16 to 256 visible ASCII characters without spaces; \`openssl rand -hex 32\` makes a good one.
  LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud".
\`records serve --help\` says how.
`,
  );
  expect(gateway.output()).toBe('');
});

test('a port in use is one clear line, and no key is made for it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const gateway = startProcess({ PORT: String(port), LOG_LEVEL: 'warn' });
  expect(await gateway.ended).toBe(1);
  other.close();
  expect(gateway.log()).toBe(
    `error: Port ${port} on 127.0.0.1 is in use. Stop what runs there, or choose another with PORT.\n`,
  );

  const database = new Sqlite(join(gateway.folder, 'data/records.db'), { readonly: true });
  expect(database.prepare('SELECT * FROM "ApiKey"').all()).toEqual([]);
  database.close();
});

test('a database that cannot be used is one clear line', async () => {
  const file = join(freshFolder(), 'records.db');
  writeFileSync(file, 'this is no database, it is a shopping list'.repeat(100));
  const gateway = startProcess({ DATABASE_URL: `file:${file}` });
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toMatch(/^error: .*\n$/);
});

test('an unknown parameter is refused, and the message says where help is', async () => {
  const gateway = startProcess({}, ['serve', '--prot=80']);
  expect(await gateway.ended).toBe(2);
  expect(gateway.log()).toMatch(/'--prot=80'[\s\S]*`records serve --help` says how/);
});

test('--help prints every setting with its default and starts nothing', async () => {
  const { code, text } = await records(['serve', '--help']);
  expect(code).toBe(0);
  expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  const words = text.replace(/\s+/g, ' ');
  for (const { name, meaning, default: value, isHidden } of settings) {
    expect(words).toContain(isHidden ? `${name} ${meaning}` : `${meaning} [${name}${value ? `: ${value}` : ''}]`);
  }
});

test('an empty setting is refused by the command of the keys too', async () => {
  expect(await records(['keys', 'list'], { DATABASE_URL: '' })).toEqual({
    code: 2,
    text: '',
    problem: `error: ${emptyUrl}\`records keys list --help\` says how.\n`,
  });
});
