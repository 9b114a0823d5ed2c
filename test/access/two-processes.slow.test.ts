/**
 * Two gateways on one database and the command line: a change of a key takes effect everywhere. On SQLite, where
 * processes share a file, the second gateway is another process.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseInTurn, freshDatabaseUrl } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { startProcess, startRecords } from '../support/process.js';
import { endsWithinASecond } from './keys.js';

const API_KEY = 'the-key-of-both-gateways';

async function anotherProcess(settings: Record<string, string>) {
  const { ready, child, ended } = startProcess(settings);
  const url = await ready();
  return {
    url,
    close: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let databaseUrl: string;
  let here: TestGateway;
  let there: { url: string; close(): Promise<unknown> };
  let first: string;
  let second: string;

  beforeAll(async () => {
    databaseUrl = await freshDatabaseUrl(provider);
    here = await startGateway({ env: { DATABASE_URL: databaseUrl, API_KEY } });
    const settings = { DATABASE_URL: databaseUrl, API_KEY };
    there = await (provider === 'sqlite' ? anotherProcess(settings) : startGateway({ env: settings }));
    [first, second] = [here.url, there.url];
  });
  afterAll(async () => {
    await Promise.all([there.close(), here.close()]);
  });

  /** What `records keys` prints, which must succeed. */
  async function keys(...words: string[]): Promise<string> {
    const { ended, output, log } = startRecords({ DATABASE_URL: databaseUrl }, ['keys', ...words]);
    expect(await ended, log()).toBe(0);
    return output();
  }

  /** The data of an operation at the first gateway. */
  async function ask(query: string) {
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
    const answer = await fetch(`${first}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return (await answer.json()).data;
  }

  async function make() {
    const input = '{ name: "A script", scopes: ["stock:read"] }';
    return (await ask(`mutation { made: createApiKey(input: ${input}) { secret apiKey { id } } }`)).made;
  }

  async function open(secret: string): Promise<number[]> {
    const headers = { authorization: `Bearer ${secret}` };
    const urls = [first, second].map((url) => `${url}/api/stock/serial-no`);
    return Promise.all(urls.map(async (url) => (await fetch(url, { headers })).status));
  }

  test('a key created on the command line works at both gateways, and at neither a second after it is revoked', async () => {
    const { apiKey, secret } = JSON.parse(await keys('create', 'A script', '--scopes', 'stock:read', '--json'));
    expect(await open(secret)).toEqual([200, 200]);
    expect(await keys('revoke', apiKey.id)).toContain(apiKey.id);
    await Promise.all([first, second].map((url) => endsWithinASecond(url, secret)));
  });

  test('a key revoked at one gateway no longer works at the other a second later', async () => {
    const { apiKey, secret } = await make();
    expect(await open(secret)).toEqual([200, 200]);
    const { revoked } = await ask(`mutation { revoked: revokeApiKey(id: "${apiKey.id}") { apiKey { state } } }`);
    expect(revoked.apiKey.state).toBe('REVOKED');
    await Promise.all([first, second].map((url) => endsWithinASecond(url, secret)));
  });

  test('a key rotated at one gives way to the new one at both', async () => {
    const { apiKey, secret } = await make();
    expect(await open(secret)).toEqual([200, 200]);
    const { made } = await ask(`mutation { made: rotateApiKey(id: "${apiKey.id}", overlapSeconds: 0) { secret } }`);
    await Promise.all([first, second].map((url) => endsWithinASecond(url, secret)));
    expect(await open(made.secret)).toEqual([200, 200]);
  });
});

test('what the command line cannot do it reports in one line, and exits with 1; it creates no database', async () => {
  const url = await freshDatabaseUrl('sqlite');
  const nobody = startRecords({ DATABASE_URL: url }, ['keys', 'revoke', 'brg_000000000000']);
  const nowhere = startRecords({}, ['keys', 'list']);
  expect(await Promise.all([nobody.ended, nowhere.ended])).toEqual([1, 1]);
  expect([nobody.output(), nobody.log()]).toEqual(['', 'error: No API key has the id "brg_000000000000".\n']);
  expect(nowhere.log()).toMatch(
    /^error: There is no database at .*records\.db\. Start the gateway once, or set DATABASE_URL/,
  );
});
