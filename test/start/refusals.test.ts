import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { settings } from '../../src/config.js';
import { help } from '../../src/start/help.js';
import { freshFolder } from '../support/database.js';
import { startKeys, startProcess } from '../support/process.js';

const emptyUrl = 'DATABASE_URL is empty. Give it a value, or do not set it: the default is file:./data/records.db.\n';

test('wrong and empty settings are reported all at once, with the mend and without secrets', async () => {
  const gateway = startProcess({ PORT: 'http', DATABASE_URL: '', API_KEY: 'canary', LOG_LEVEL: 'loud' });
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toBe(
    `The gateway cannot start:
  PORT must be a whole number from 0 to 65535, not "http".
  ${emptyUrl.trimEnd()}
  API_KEY must be 16 to 256 visible ASCII characters without spaces; \`openssl rand -hex 32\` makes a good one.
  LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud".
\`npm start -- --help\` lists all settings.
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
    `The gateway cannot start: Port ${port} on 127.0.0.1 is in use. Stop what runs there, or choose another with PORT.\n`,
  );

  const database = new Database(join(gateway.folder, 'data/records.db'), { readonly: true });
  expect(database.prepare('SELECT * FROM "ApiKey"').all()).toEqual([]);
  database.close();
});

test('a database that cannot be used is one clear line', async () => {
  const file = join(freshFolder(), 'records.db');
  writeFileSync(file, 'this is no database, it is a shopping list'.repeat(100));
  const gateway = startProcess({ DATABASE_URL: `file:${file}` });
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toMatch(/^The gateway cannot start: .*\n$/);
});

test('an unknown parameter is refused, and the message says where help is', async () => {
  const gateway = startProcess({}, ['--prot=80']);
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toMatch(/'--prot'[\s\S]*--help/);
});

test('--help prints every setting with its default and starts nothing', async () => {
  const gateway = startProcess({}, ['--help']);
  expect(await gateway.ended).toBe(0);
  expect(gateway.output()).toMatch(/^ {2}PORT +The port to listen on\. .* \[4000\]$/m);
  expect(existsSync(join(gateway.folder, 'data'))).toBe(false);
});

test('--help fits a terminal of 80 columns, every name apart from its meaning', () => {
  const lines = help().split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const words = help().replace(/\s+/g, ' ');
  for (const { name, meaning, default: value } of settings()) {
    expect(lines.find((line) => line.startsWith(`  ${name}  `))).toBeDefined();
    expect(words).toContain(` ${name} ${meaning}${value ? ` [${value}]` : ''}`);
  }
});

test('an empty setting is refused by the command of the keys too', async () => {
  const keys = startKeys({ DATABASE_URL: '' }, ['list']);
  expect(await keys.ended).toBe(1);
  expect(keys.log()).toBe(emptyUrl);
});
