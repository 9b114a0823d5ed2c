/** Starts on a PostgreSQL that does not let the gateway do what it needs: one line, with what mends it, and then it starts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { explainingStart } from '../../src/database/explain-start.js';
import { records } from '../commands/records.js';
import { emptyDatabaseUrl, freshFolder } from '../support/database.js';
import { startProcess } from '../support/process.js';

let owner: string;
let url: string;
let role: string;

beforeEach(async () => {
  owner = await emptyDatabaseUrl('postgresql');
  const address = new URL(owner);
  role = `${address.pathname.slice(1)}_role`;
  await asOwner(`CREATE ROLE "${role}" LOGIN PASSWORD 'canary'`);
  url = Object.assign(address, { username: role, password: 'canary' }).href;
});

async function asOwner(...statements: string[]): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Starts a gateway, and returns what it logs if it ends by itself, or '' if it serves. */
async function start(address = url, env: Record<string, string> = {}): Promise<string> {
  const gateway = startProcess({ DATABASE_URL: address, DATABASE_WAIT: '0', LOG_LEVEL: 'error', ...env });
  const serves = await gateway.ready().then(
    () => true,
    () => false,
  );
  if (serves) gateway.child.kill();
  const code = await gateway.ended;
  if (serves) return '';
  expect(code).toBe(1);
  expect(gateway.log()).not.toContain('canary');
  expect(gateway.log()).toMatch(/^error: [^\n]+\n$/);
  return gateway.log();
}

/** The statement in a message that begins with one of these words, run by the owner. */
async function mend(message: string): Promise<void> {
  const statements = message.match(/GRANT [^;]+?(?=; (?:without|GRANT)|; or|\. |$)/g) ?? [];
  expect(statements).not.toEqual([]);
  await asOwner(...statements);
}

const prepared = async () => {
  expect((await records(['migrate', 'apply'], { DATABASE_URL: owner })).code).toBe(0);
};

test('a role without CREATE on the schema, as they are since PostgreSQL 15, is told the statement, which mends it', async () => {
  const message = await start();
  expect(message).toMatch(/may not use the schema public .*permission denied for schema public/);
  await mend(message);
  expect(await start()).toBe('');
});

test('a role without CREATE on the database, for a schema of its own', async () => {
  const message = await start(`${url}?schema=mine`);
  expect(message).toMatch(/may not make the schema mine .*CREATE SCHEMA mine AUTHORIZATION/);
  await asOwner(`CREATE SCHEMA mine AUTHORIZATION "${role}"`);
  expect(await start(`${url}?schema=mine`)).toBe('');
});

test('a role that may only read, or that lacks one right, is told the statement', async () => {
  await prepared();
  await asOwner(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${role}"`);
  const message = await start(url, { MIGRATE: 'false' });
  expect(message).toMatch(
    /lacks a right .*permission denied for .*Run as the owner of the tables: GRANT SELECT, INSERT/,
  );
  await mend(message);
  expect(await start(url, { MIGRATE: 'false' })).toBe('');
});

test('where only reading is allowed, as on a standby, commands that read work, and what writes says so in one line', async () => {
  await prepared();
  const readable = ['GRANT SELECT ON ALL TABLES IN SCHEMA public', 'GRANT SELECT ON ALL SEQUENCES IN SCHEMA public'];
  await asOwner(
    ...readable.map((right) => `${right} TO "${role}"`),
    `ALTER ROLE "${role}" SET default_transaction_read_only = on`,
  );
  const path = join(freshFolder(), 'none.jsonl');
  writeFileSync(path, '');
  const run = (...words: string[]) => records(words, { DATABASE_URL: url });
  for (const words of [
    ['export', '-'],
    ['check'],
    ['keys', 'list'],
    ['usage'],
    ['webhooks', 'list'],
    ['migrate', 'status'],
  ])
    expect(await run(...words), words.join(' ')).toMatchObject({ code: 0 });
  const message = await start();
  expect(message).toMatch(/is read-only: it is a standby, or was made read-only\. Set DATABASE_URL to the primary/);
  for (const words of [
    ['import', path, '--name', 'x'],
    ['keys', 'create', 'desk', '--scopes', 'crm:read'],
  ])
    expect((await run(...words)).problem, words.join(' ')).toBe(message);
});

test('a role that lacks a right that only some requests take is told the statement', async () => {
  await prepared();
  const all = (kind: string, right: string) => `GRANT ${right} ON ALL ${kind} IN SCHEMA public TO "${role}"`;
  await asOwner(
    all('TABLES', 'SELECT, INSERT, UPDATE, DELETE'),
    all('SEQUENCES', 'USAGE, SELECT, UPDATE'),
    all('FUNCTIONS', 'EXECUTE'),
    'REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC',
  );
  const path = join(freshFolder(), 'none.jsonl');
  writeFileSync(path, '');
  for (const [MIGRATE, right, object] of [
    ['true', 'USAGE', 'SEQUENCE "JournalEntry_entry_seq"'],
    ['false', 'UPDATE', 'SEQUENCE "SearchText_id_seq"'],
    ['true', 'INSERT', 'TABLE "Quotation"'],
    ['false', 'UPDATE', 'TABLE "Webhook"'],
    ['true', 'DELETE', 'TABLE "JobCardTimeLog"'],
    ['false', 'EXECUTE', 'FUNCTION gateway_share_journal()'],
  ] as const) {
    await asOwner(`REVOKE ${right} ON ${object} FROM "${role}"`);
    const message = await start(url, { MIGRATE });
    expect(message).toContain(`(${right})`);
    const { problem } = await records(['import', path, '--name', 'x'], { DATABASE_URL: url });
    expect(message).toBe(problem);
    await mend(message);
  }
  await asOwner(
    `REVOKE INSERT, UPDATE, DELETE ON "_prisma_migrations" FROM "${role}"`,
    'CREATE TABLE public."guests" ("id" serial)',
  );
  expect(await start()).toBe('');
});

test('a role that may not enter the schema is told the statement, and not that migrations are missing', async () => {
  await prepared();
  for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS'])
    await asOwner(`GRANT ALL ON ALL ${kind} IN SCHEMA public TO "${role}"`);
  await asOwner('REVOKE USAGE ON SCHEMA public FROM PUBLIC');
  const message = await start(url, { MIGRATE: 'false' });
  expect(message).toMatch(/permission denied for schema public/);
  await mend(message);
  expect(await start(url, { MIGRATE: 'false' })).toBe('');
});

test('a role without CONNECT is told the statement', async () => {
  await asOwner(
    `REVOKE CONNECT ON DATABASE "${new URL(owner).pathname.slice(1)}" FROM PUBLIC`,
    `GRANT CREATE ON SCHEMA public TO "${role}"`,
  );
  const message = await start();
  expect(message).toMatch(/may not connect to the database .*: GRANT CONNECT ON DATABASE /);
  await mend(message);
  expect(await start()).toBe('');
});

test('a database that lacks migrations which the role may not apply', async () => {
  await asOwner('CREATE TABLE "_prisma_migrations" ("x" int)');
  expect(await start()).toMatch(/^error: /);
});

test('tables of another program', async () => {
  await asOwner(`GRANT CREATE ON SCHEMA public TO "${role}"`, 'CREATE TABLE public."guests" ("id" int)');
  expect(await start()).toMatch(/has tables of another program\. Name a schema of its own by \?schema=records/);
  await asOwner(`GRANT CREATE ON DATABASE "${new URL(owner).pathname.slice(1)}" TO "${role}"`);
  expect(await start(`${url}?schema=records`)).toBe('');
});

test('a role that has no connection left', async () => {
  await asOwner(`ALTER ROLE "${role}" CONNECTION LIMIT 0`);
  expect(await start()).toMatch(/has no connection left: too many connections for role .*CONNECTION LIMIT/);
});

test('limits of the role do not end the start', async () => {
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'];
  await asOwner(
    `GRANT CREATE ON SCHEMA public TO "${role}"`,
    ...limits.map((name) => `ALTER ROLE "${role}" SET ${name} = 200`),
    `ALTER ROLE "${role}" SET search_path = nowhere`,
  );
  expect(await start()).toBe('');
});

test('a role that may not connect, a wrong password, and a setting that the server refuses', async () => {
  expect(await start(url.replace('canary', 'wrong'))).toMatch(
    /does not let the user .* in: password authentication failed/,
  );
  expect(await start(`${url}?options=-c%20no_such_thing%3D1`)).toMatch(
    /refuses a setting of the session: unrecognized configuration parameter/,
  );
  expect(await start(`${url}?options=-c%20work_mem%3Dmuch`)).toMatch(/refuses a setting of the session: invalid value/);
  await asOwner(`ALTER ROLE "${role}" NOLOGIN`);
  expect(await start()).toMatch(/does not let the user .* in: role .* is not permitted to log in/);
});

test('what is wrong with something else is not said of the database', async () => {
  const database = { HOST: 'nosuch.invalid', DATABASE_URL: owner };
  expect(await start(owner, database)).toMatch(/^error: Port \d+ on nosuch\.invalid cannot be listened on/);
  const folder = freshFolder();
  const path = join(folder, 'certificate timeout.jsonl');
  const importing = await records(['import', folder, '--name', 'x'], database);
  expect(importing).toMatchObject({ code: 1, problem: `error: ${folder} is a folder. Give a file.\n` });
  for (const code of ['EBUSY', 'EISDIR', 'EACCES', 'E2BIG']) {
    for (const message of [`${code}: a text of the system, open '${path}'`, `write ${code}`]) {
      const other = Object.assign(new Error(message), { code });
      await expect(explainingStart(owner, () => Promise.reject(other))).rejects.toBe(other);
    }
  }
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  await expect(explainingStart(owner, () => Promise.reject(lost))).rejects.toThrow('cannot be reached (ECONNRESET)');
});

describe('a command', () => {
  test('that only reads works with the right to read', async () => {
    await prepared();
    await asOwner(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${role}"`);
    for (const words of [['keys', 'list'], ['check'], ['migrate', 'status'], ['export', '-', '--quiet']]) {
      const { code, problem } = await records(words, { DATABASE_URL: url });
      expect([words, code, problem.replace(/^\d.*\n/gm, '')]).toEqual([words, 0, expect.not.stringMatching(/^error/)]);
    }
  });

  test.each([['keys', 'list'], ['check'], ['migrate', 'status'], ['export', '-']])(
    'says it in one line too: %s %s',
    async (...words) => {
      await prepared();
      const { code, problem } = await records(words, { DATABASE_URL: url });
      expect(problem).toMatch(/^error: [^\n]+ (GRANT|Run as) [^\n]+\n$/);
      expect(code).toBe(1);
    },
  );
});
