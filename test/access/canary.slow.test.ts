/**
 * A recognisable key and credential are sent in every kind of request. Then the output, the errors and the database of
 * the gateway are searched for them.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseInTurn, freshDatabaseUrl } from '../support/database.js';
import { type GatewayProcess, startProcess } from '../support/process.js';
import { Sqlite } from '../support/sqlite-library.js';
import {
  askForCredential,
  type Canaries,
  carryCredential,
  carryKeys,
  carryPin,
  type Heard,
  sender,
} from './canary-requests.js';
import { formsOf, pagesWith, tracesIn } from './traces.js';

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let databaseUrl: string;
  let gateway: GatewayProcess;
  let canaries: Canaries;
  /** The secret of a key that was made, rotated and revoked. */
  let made: string;
  const asked: Heard[] = [];
  const others: Heard[] = [];
  const numbers: Heard[] = [];
  const administration: Heard[] = [];

  beforeAll(async () => {
    databaseUrl = await freshDatabaseUrl(provider);
    const key = 'canary-of-the-key-5h0Wm3N0wh3r3';
    gateway = startProcess({ DATABASE_URL: databaseUrl, API_KEY: key, LOG_LEVEL: 'trace' });
    const url = await gateway.ready();
    const credential = 'canary-of-the-credential-5h0Wm3N0wh3r3';
    const pin = '48151623421337';
    canaries = { url, key, credential, pin, wrongKey: 'canary-of-a-wrong-key-5h0Wm3N0wh3r3' };

    await askForCredential(canaries, sender(canaries, asked));
    await carryCredential(canaries, sender(canaries, others));
    await carryPin(canaries, sender(canaries, numbers));
    await carryKeys(canaries, sender(canaries, others));
    made = await administer();
    await breakTheTable();
    const send = sender(canaries, others);
    const body = { access_key: canaries.credential, url: 'https://example.org' };
    await send(
      'a fault of ours',
      'PATCH',
      '/api/accounts/currency-exchange-settings/currency-exchange-settings_default',
      body,
    );
  });
  afterAll(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });

  test('the requests were of every kind', () => {
    const statuses = new Set([...asked, ...others].map(({ status }) => status));
    expect([...statuses].sort()).toEqual(
      expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 412, 413, 415, 422, 500]),
    );
    expect(asked.every(({ status, body }) => status === 200 && body.includes(canaries.credential))).toBe(true);
    expect(asked.at(4)?.text).toContain('idempotent-replayed');
  });

  test('no answer repeats a key, but the one that tells a new one', () => {
    const repeated = [...asked, ...others, ...administration].flatMap(({ what, text }) =>
      keys().flatMap((key) => tracesIn(text, key).map(() => what)),
    );
    expect(repeated).toEqual(['make a key once', 'make a key once, again']);
  });

  test('no answer repeats the credential, but those to requests that ask for it', () => {
    const { credential } = canaries;
    const unquoted = credential.replaceAll('-', '_');
    const repeating = others.filter(
      ({ text }) => tracesIn(text, credential).length + tracesIn(text, unquoted).length > 0,
    );
    expect(repeating.map(({ what, body }) => `${what}: ${body}`)).toEqual([]);
  });

  test('no answer repeats a number where a credential belongs', () => {
    expect(numbers.length).toBeGreaterThan(100);
    const isRefused = ({ status, body }: Heard) => status === 400 || /"(errors|userErrors)":\[\{/.test(body);
    expect(numbers.filter((each) => !isRefused(each)).map(({ what, body }) => `${what}: ${body}`)).toEqual([]);
    const repeating = numbers.filter(({ text }) => text.includes(canaries.pin));
    expect(repeating.map(({ what, body }) => `${what}: ${body}`)).toEqual([]);
  });

  test('no line of the log and nothing that was printed holds any of them', async () => {
    gateway.child.kill('SIGTERM');
    await gateway.ended;
    expect(gateway.log()).toContain('"path":"/api/accounts/currency-exchange-settings"');
    expect(gateway.log()).toContain('"level":"error"');
    const lines = `${gateway.output()}\n${gateway.log()}`.split('\n');
    const secrets = [...keys(), canaries.credential, canaries.pin];
    expect(lines.filter((line) => secrets.some((secret) => tracesIn(line, secret).length > 0))).toEqual([]);
  });

  test('the database holds no key, and the credential in its own column alone', async () => {
    if (provider === 'sqlite') searchFile(databaseUrl.slice('file:'.length));
    else await searchTables();
  });

  const keys = () => [canaries.key, canaries.wrongKey, made.slice(17)];

  /** Creates a key, uses it, rotates it, revokes it by its secret, and uses it again. */
  async function administer(): Promise<string> {
    const send = sender(canaries, administration);
    const create = 'mutation { made: createApiKey(input: { name: "n", scopes: ["*"] }) { secret apiKey { id } } }';
    const once = { 'idempotency-key': 'key-1' };
    const answer = await send('make a key once', 'POST', '/graphql', { query: create }, once);
    expect(answer.status, answer.body).toBe(200);
    const { secret } = JSON.parse(answer.body).data.made;
    await send('make a key once, again', 'POST', '/graphql', { query: create }, once);
    const bearer = { authorization: `Bearer ${secret}` };
    await send(
      'use it',
      'POST',
      '/graphql',
      { query: '{ assetRepairs { totalCount } apiKeys { nodes { id } } }' },
      bearer,
    );
    const id = { id: secret };
    await send('list', 'POST', '/graphql', { query: '{ apiKeys(includeEnded: true) { nodes { id name } } }' });
    await send('rotate it', 'POST', '/graphql', {
      query: 'mutation ($id: ID!) { rotateApiKey(id: $id) { apiKey { id } } }',
      variables: id,
    });
    await send('revoke it', 'POST', '/graphql', {
      query: 'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { id } } }',
      variables: id,
    });
    await send('rotate what is revoked', 'POST', '/graphql', {
      query: 'mutation ($id: ID!) { rotateApiKey(id: $id) { secret } }',
      variables: id,
    });
    await send('revoke what is not there', 'POST', '/graphql', {
      query: `mutation { revokeApiKey(id: "${canaries.key}") { apiKey { id } } }`,
    });
    return secret;
  }

  /** From now on every write of the settings fails, with an error that contains the row. */
  async function breakTheTable(): Promise<void> {
    if (provider === 'sqlite') {
      const file = new Sqlite(databaseUrl.slice('file:'.length));
      file.exec(
        `CREATE TRIGGER refuse BEFORE UPDATE ON "CurrencyExchangeSettings" BEGIN SELECT "accessKey" FROM "Nothing"; END`,
      );
      file.close();
    } else {
      await query('ALTER TABLE "CurrencyExchangeSettings" ADD CONSTRAINT refuse CHECK ("url" IS NULL) NOT VALID');
    }
  }

  /** Page by page, in the file and in its log, before the log is gone. */
  function searchFile(path: string): void {
    for (const key of keys()) expect(pagesWith(path, key), key).toEqual([]);
    const file = new Sqlite(path, { readonly: true });
    const own = file.prepare<[], { rootpage: number }>(
      `SELECT "rootpage" FROM "sqlite_master" WHERE "name" = 'CurrencyExchangeSettings'`,
    );
    expect(pagesWith(path, canaries.credential)).toEqual([own.get()?.rootpage]);
    file.close();
  }

  /** Row by row, in all tables, apart from the one column. */
  async function searchTables(): Promise<void> {
    const tables = await query(
      `SELECT "table_name" AS name FROM "information_schema"."tables" WHERE "table_schema" = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(38);
    for (const { name } of tables) {
      const rows = await query(`SELECT (to_jsonb(t) - 'accessKey')::text AS row FROM "${name}" AS t`);
      const text = rows.map(({ row }) => row).join('\n');
      for (const secret of [...keys(), canaries.credential]) expect(tracesIn(text, secret), name).toEqual([]);
    }
    const [row] = await query('SELECT "accessKey" FROM "CurrencyExchangeSettings"');
    expect(row?.accessKey).toBe(canaries.credential);
  }

  async function query(sql: string): Promise<Record<string, string>[]> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
});

test('the search finds what is there: as it is, in hexadecimal, and in base64 wherever it begins', () => {
  const secret = 'canary-of-a-secret';
  for (const before of ['', 'x', 'xy']) {
    expect(tracesIn(Buffer.from(`${before}${secret} after`).toString('base64'), secret)).not.toEqual([]);
  }
  expect(tracesIn(Buffer.from(`before ${secret}`).toString('hex'), secret)).not.toEqual([]);
  expect(tracesIn(Buffer.from(`\0\0${secret}`), secret)).not.toEqual([]);
  expect(tracesIn('canary of a secret', secret)).toEqual([]);
  expect(formsOf(secret).every((form) => form.length > 10)).toBe(true);
});
