/** Processes that take tokens: a wrong file at the start and at SIGHUP, and stored answers of several workers. */
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.js';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { issuersFile, TestIssuer } from '../support/issuer.js';
import { type GatewayProcess, startProcess } from '../support/process.js';
import { bearing } from './people.js';
import { rolesFile } from './roles.js';

async function issuerOfTest(): Promise<TestIssuer> {
  const issuer = await TestIssuer.start();
  onTestFinished(() => issuer.stop());
  return issuer;
}

function startTaking(path: string, more: Record<string, string> = {}): GatewayProcess {
  const ROLES = rolesFile({ clerk: { scopes: [] } });
  const settings = { ISSUERS: path, ISSUERS_ALLOW: '127.0.0.1', ROLES, API_KEY: 'a-key-of-the-test', ...more };
  const gateway = startProcess(settings);
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  return gateway;
}

/** The status of an answer to a token, which asks who sends it. */
async function statusWith(url: string, token: string): Promise<number> {
  const client = new Client(url);
  const { status } = await client.send(
    'POST',
    '/graphql',
    { query: '{ viewer { keyId } }' },
    {
      ...bearing(token),
      'content-type': 'application/json',
    },
  );
  client.close();
  return status;
}

test('wrong files end the start with all that is wrong with both', async () => {
  const ROLES = rolesFile({ clerk: { scopes: ['crm:raed'] } });
  const gateway = startTaking(issuersFile([{ issuer: 'a|b', audience: [] }]), { ROLES });
  expect(await gateway.ended).toBe(2);
  for (const place of ['issuer', 'audience', 'keys', 'claims', 'roles'])
    expect(gateway.log()).toMatch(new RegExp(`ISSUERS names .*\`1\\.${place}\` (must be|is missing)`));
  expect(gateway.log()).toMatch(/ROLES names .*`clerk\.scopes\.1` .*did you mean `crm:read`\?/);
});

test('a wrong file at SIGHUP changes nothing; a right one is in force at once, also for tokens that were known', async () => {
  const [one, other] = [await issuerOfTest(), await issuerOfTest()];
  const folder = freshFolder();
  const gateway = startTaking(issuersFile([one.entry()], folder));
  const url = await gateway.ready();
  const [ofOne, ofOther] = [await one.sign(), await other.sign()];
  const statuses = async () => [await statusWith(url, ofOne), await statusWith(url, ofOther)];
  expect(await statuses()).toEqual([200, 401]);

  issuersFile('[{"issuer": ', folder);
  gateway.child.kill('SIGHUP');
  await expect.poll(() => gateway.log()).toMatch(/could not be reloaded; those in force stay/);
  expect(gateway.log()).toMatch(/not valid JSON/);
  expect(await statuses()).toEqual([200, 401]);

  issuersFile([other.entry()], folder);
  gateway.child.kill('SIGHUP');
  await expect.poll(() => gateway.log()).toMatch(/The settings were reloaded/);
  expect(await statuses()).toEqual([401, 200]);
  // A good issuer stays known while another entry comes.
  issuersFile([other.entry(), one.entry()], folder);
  await other.stop();
  gateway.child.kill('SIGHUP');
  await expect.poll(async () => statusWith(url, ofOne)).toBe(200);
  expect(await statusWith(url, await other.sign({ sub: 'another' }))).toBe(200);
});

test('a gateway says once at the start that stored answers need ANSWER_KEY, and nothing where it is set', async () => {
  const issuer = await issuerOfTest();
  const DATABASE_URL = await freshDatabaseUrl('postgresql');
  for (const [more, says] of [
    [{ WORKERS: '1' }, true],
    [{ WORKERS: '2' }, true],
    [{ WORKERS: '2', ANSWER_KEY: 'k'.repeat(32) }, false],
  ] as const) {
    const gateway = startTaking(issuersFile([issuer.entry()]), { DATABASE_URL, ...more });
    await gateway.ready();
    expect(gateway.log().match(/ANSWER_KEY is not set/g)?.length ?? 0).toBe(says ? 1 : 0);
    gateway.child.kill('SIGTERM');
    await gateway.ended;
  }
});
