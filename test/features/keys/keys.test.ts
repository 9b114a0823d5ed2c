/** `records keys` as it is typed, on a real database, in this process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantOf, secondsOf } from '../../../src/cli/option-values.js';
import { type OpenedDatabase, openDatabase } from '../../../src/database/open-database.js';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl } from '../../support/database.js';

let url: string;
let database: OpenedDatabase;
beforeAll(async () => {
  url = await freshDatabaseUrl('sqlite');
  database = await openDatabase({ url, migrate: true });
});
afterAll(() => database.close());

/** What is printed, on either output. */
async function run(...words: string[]): Promise<string> {
  const { text, problem } = await records(['keys', ...words], { DATABASE_URL: url });
  return text + problem;
}

const secretIn = (text: string) => /secret +(\S+)/.exec(text)?.[1] ?? '';
const idIn = (text: string) => secretIn(text).slice(0, 16);
const day = 24 * 60 * 60;

describe('create', () => {
  test('prints the key and its secret', async () => {
    const text = await run('create', 'Nightly import', '--scopes', 'stock:read,stock:write', '--expires', '90d');
    expect(text).toMatch(/^Made the key brg_\w{12}, "Nightly import"\.\n\n {2}scopes {3}stock:read stock:write\n/);
    expect(text).toMatch(/\n {2}expires {2}20\d\d-\d\d-\d\d \d\d:\d\d UTC\n {2}secret {3}brg_\w{12}_\w{52}\n/);
    const row = await database.client.apiKey.findUniqueOrThrow({ where: { id: idIn(text) } });
    expect(Math.abs(Number(row.expiresAt) - Date.now() - 90 * day * 1000)).toBeLessThan(60_000);
  });

  test('takes scopes with commas, with spaces, and one by one', async () => {
    const text = await run('create', 'n', '-s', 'stock:read, crm:read', '-s', 'assets:read projects:read');
    expect(text).toContain('scopes   stock:read crm:read assets:read projects:read\n');
    expect(text).toContain('expires  never');
  });

  test('prints JSON for programs', async () => {
    const { apiKey, secret } = JSON.parse(await run('create', 'For a program', '-s', '*', '--json'));
    expect(apiKey).toMatchObject({ id: secret.slice(0, 16), name: 'For a program', scopes: ['*'], expiresAt: null });
  });

  test('refuses unknown scopes, and lists the known ones', async () => {
    const { code, problem } = await records(['keys', 'create', 'n', '-s', 'stok:read'], { DATABASE_URL: url });
    expect(problem).toMatch(/^error: scopes, number 1 .*`stock:read`\? The scopes are `\*`, `admin`, /);
    expect(code).toBe(1);
  });

  test.each([
    [['create', 'n'], /give it --scopes or --role: what may it do/],
    [['create', '-s', '*'], /missing required argument 'name'/],
    [['create', 'n', '-s', '*', '-e', 'tomorrow'], /'tomorrow' is invalid\. Give a time from now, 90d/],
    [['create', 'n', 'm', '-s', '*'], /too many arguments/],
    [['rotate', 'brg_000000000000', '-o', '5'], /'5' is invalid\. Give a time: 7d, 24h, 30m or 0s/],
    [['remove', 'brg_000000000000'], /unknown command 'remove'/],
  ])('says what is wrong with %j, and where help is', async (words, message) => {
    const { code, text, problem } = await records(['keys', ...words], { DATABASE_URL: url });
    expect(problem).toMatch(message);
    expect(problem).toMatch(/`records keys.* --help` says how\.\n$/);
    expect(text).toBe('');
    expect(code).toBe(2);
  });
});

describe('list', () => {
  test('shows the valid keys, the others with --all, and no secret', async () => {
    const made = await run('create', 'To be listed', '-s', 'crm:read');
    const id = idIn(made);
    const line = async (...words: string[]) =>
      (await run('list', ...words)).split('\n').find((text) => text.includes(id));
    expect(await line()).toMatch(/^brg_\w{12} +active +never +never +crm:read +To be listed$/);
    await run('revoke', id);
    expect(await line()).toBeUndefined();
    expect(await line('--all')).toMatch(/^brg_\w{12} +revoked /);
    expect(await run('list', '--all')).not.toContain(secretIn(made).slice(17));
    expect(JSON.parse(await run('list', '--all', '--json'))).toContainEqual(expect.objectContaining({ id }));
  });
});

describe('rotate', () => {
  test('prints the new key, and until when the old one is valid', async () => {
    const old = await run('create', 'To be rotated', '-s', 'crm:read');
    const text = await run('rotate', idIn(old), '--overlap', '7d', '--expires', '2099-01-31');
    expect(idIn(text)).not.toBe(idIn(old));
    expect(text).toMatch(/"To be rotated"\.\n\n {2}scopes {3}crm:read\n {2}expires {2}2099-01-31 00:00 UTC\n/);
    expect(text).toMatch(/The old one is good until \d{4}-\d\d-\d\d \d\d:\d\d UTC at the latest\.\n$/);
    const { expiresAt } = await database.client.apiKey.findUniqueOrThrow({ where: { id: idIn(old) } });
    expect(Math.abs(Number(expiresAt) - Date.now() - 7 * day * 1000)).toBeLessThan(60_000);
  });

  test('leaves a day by default', async () => {
    const old = await run('create', 'n', '-s', 'crm:read');
    await run('rotate', idIn(old));
    const { expiresAt } = await database.client.apiKey.findUniqueOrThrow({ where: { id: idIn(old) } });
    expect(Math.abs(Number(expiresAt) - Date.now() - day * 1000)).toBeLessThan(60_000);
  });
});

describe('revoke', () => {
  test('takes an id, or a leaked secret, which it does not print', async () => {
    const made = await run('create', 'To be revoked', '-s', 'crm:read');
    expect(await run('revoke', secretIn(made))).toBe(`Revoked the key ${idIn(made)}, "To be revoked".\n`);
  });
});

describe('help', () => {
  test('says what there is, with examples', async () => {
    const text = await run('--help');
    for (const word of ['create', 'list', 'rotate', 'revoke', 'records keys rotate brg_']) {
      expect(text).toContain(word);
    }
  });

  test('lists the scopes where keys are made', async () => {
    const text = await run('create', '--help');
    expect(text).toContain('accounts:read|write|delete\n');
    expect(text).toContain('assets:read|write|submit|cancel|delete\n');
  });
});

test.each([
  ['90d', 90 * day],
  ['12h', 12 * 60 * 60],
  ['30m', 30 * 60],
  ['0s', 0],
  ['5', undefined],
  ['-5d', undefined],
  ['1w', undefined],
])('%s is %s seconds', (text, expected) => {
  expect(secondsOf(text)).toBe(expected);
});

test.each([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T09:30Z', '2027-01-31T09:30:00.000Z'],
  ['2027-01-31T09:30:15.5+02:00', '2027-01-31T07:30:15.500Z'],
  ['2h', '2026-01-01T02:00:00.000Z'],
  ['2912000d', '9998-10-15T00:00:00.000Z'],
  ['2913000d', undefined],
  ['99999999d', undefined],
  ['999999999d', undefined],
  ['2027-13-01', undefined],
  ['2027-02-29', undefined],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2027-01-31T24:00Z', undefined],
  ['31.1.2027', undefined],
  ['2027-01-31T09:30', undefined],
])('%s means %s', (text, expected) => {
  expect(instantOf(text, Date.parse('2026-01-01T00:00:00Z'))?.toISOString()).toBe(expected);
});
