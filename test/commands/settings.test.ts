/** Where settings come from, and what `records config` shows of them. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { settings } from '../support/settings.js';
import { records } from './records.js';

function folderWith(environmentFile: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, '.env'), environmentFile);
  return folder;
}

async function shown(words: string[], environment: Record<string, string>, file: string) {
  const { code, text } = await records(['config', '--json', ...words], environment, folderWith(file));
  expect(code).toBe(0);
  const all: { name: string; value: string | null; source: string }[] = JSON.parse(text);
  return Object.fromEntries(all.map(({ name, value, source }) => [name, [value, source]]));
}

test('a flag wins over the environment, and the environment over .env', async () => {
  const file = 'PORT=1001\nHOST=::1\nCOST_LIMIT=7 # of the file\nSOMETHING_ELSE=of another program\n';
  const found = await shown(['--port', '3003', '--rate-limit=9'], { PORT: '2002', HOST: 'localhost' }, file);
  expect(Object.keys(found)).toEqual(settings.map(({ name }) => name));
  expect(found).toMatchObject({
    PORT: ['3003', 'flag'],
    HOST: ['localhost', 'environment'],
    COST_LIMIT: ['7', '.env'],
    RATE_LIMIT: ['9', 'flag'],
    REQUEST_TIMEOUT: ['30', 'default'],
    CORS_ORIGINS: [null, 'default'],
  });
});

test('wrong settings from all three are reported at once, each by the name under which it was given', async () => {
  const folder = folderWith('LOG_LEVEL=loud\nAPI_KEY=canary-of-env\nCOST_LIMIT=\n');
  const { code, text, problem } = await records(['config', '--port', 'http'], { JOURNAL: 'perhaps' }, folder);
  expect(problem).toBe(`error: 5 problems
  --port must be a whole number from 0 to 65535, not "http".
  API_KEY in .env must be 16 to 256 visible ASCII characters without spaces; \`openssl rand -hex 32\` makes a good one.
  COST_LIMIT in .env is empty. Give it a value, or do not set it: the default is 100000.
  JOURNAL must be true or false, not "perhaps".
  LOG_LEVEL in .env must be trace, debug, info, warn, error, fatal or silent, not "loud".
\`records config --help\` says how.
`);
  expect([code, text]).toEqual([2, '']);
});

test('secrets are masked, in text and in JSON, and are no flags', async () => {
  const secret = 'canary-canary-canary-canary-canary-canary';
  const given = {
    API_KEY: secret,
    // With a scheme, as a URL has one.
    WEBHOOK_KEY: `https://${secret}`,
    DATABASE_URL: `postgresql://user:${secret}@db.example:5433/records?sslmode=require&password=${secret}`,
    DATABASE_DIRECT_URL: `postgresql://user:${secret}@db.example/records`,
    DATABASE_READ_URL: [1, 2].map((n) => `postgresql://user:${secret}@standby-${n}.example/records`).join(','),
  };
  for (const words of [['config'], ['config', '--json']]) {
    const { text } = await records(words, given);
    expect(text).not.toContain('canary');
    expect(text).toContain('postgresql://user:********@db.example:5433/records?sslmode=require&password=********');
    // Which databases they are is no secret.
    expect(text).toContain('postgresql://user:********@db.example/records');
    const standbys = [1, 2].map((n) => `postgresql://user:********@standby-${n}.example/records`);
    expect(text).toContain(standbys.join(','));
  }
  const { text } = await records(['config'], given);
  const columns = text
    .trimEnd()
    .split('\n')
    .map((line) => /^\S+ +/.exec(line)?.[0].length);
  expect(new Set(columns).size).toBe(1);
  for (const flag of ['--api-key', '--webhook-key']) {
    expect((await records(['config', flag, secret])).code).toBe(2);
  }
});

test('a file .env that cannot be read is an error', async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, '.env'));
  chmodSync(join(folder, '.env'), 0o755);
  const { code, problem } = await records(['config'], {}, folder);
  expect(problem).toMatch(/^error: The file .*\/\.env cannot be read \(EISDIR\)\./);
  expect(code).toBe(2);
});
