/** PostgreSQL is backed up by its own tools, in the words that `records backup` and `records restore` print. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepairs, repairInput } from '../graphql/asset-repairs.js';
import { freshFolder } from '../support/database.js';
import { type DebianPostgresql, startDebianPostgresql } from '../support/debian-postgresql.js';
import { startGateway } from '../support/gateway.js';
import { records } from './records.js';

let server: DebianPostgresql;
beforeAll(async () => {
  server = await startDebianPostgresql();
}, 120_000);
afterAll(() => server.stop());

/** Runs the line that the command prints for the tool, with the values for its names. */
async function runPrinted(text: string, tool: string, url: string, file: string): Promise<string> {
  const line = text.split('\n').find((each) => each.includes(`&& ${tool} `)) ?? '';
  expect(line).toContain('address=$(records config --libpq) && ');
  const address = await records(['config', '--libpq'], { DATABASE_URL: url });
  expect(address.code, address.problem).toBe(0);
  const filled = line
    .replace(/^.* && /, '')
    .replace('"$address"', address.text.trim())
    .replace('FILE', file);
  const [program = '', ...words] = filled.trim().split(' ');
  return server.run(program, ...words);
}

test('a dump that is made under load, restored elsewhere, is found whole by `check`, and has all that was acknowledged before', async () => {
  await server.run('createdb', '--maintenance-db', server.url('postgres'), 'kept');
  const DATABASE_URL = `${server.url('kept')}?schema=public&connection_limit=6&lock_timeout=9000&sslmode=prefer`;
  const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL } });
  const path = '/api/assets/asset-repair';
  const input = repairInput({ consumedItems: 3 });
  const before = await createRepairs(gateway, 40, input);
  let isOver = false;
  const load = (async () => {
    while (!isOver) await createRepairs(gateway, 1, input);
  })();
  const file = join(freshFolder(), 'backup');
  const told = await records(['backup', file], { DATABASE_URL });
  expect(told.code).not.toBe(0);
  await runPrinted(told.problem, 'pg_dump', DATABASE_URL, file);
  isOver = true;
  await load;

  await server.run('createdb', '--maintenance-db', server.url('postgres'), 'restored');
  const copy = server.url('restored');
  const { problem } = await records(['restore', file], { DATABASE_URL: copy });
  await runPrinted(problem, 'pg_restore', `${copy}?connection_limit=6`, file);
  const checked = await records(['check', '--database-url', copy]);
  expect(checked.code, checked.text + checked.problem).toBe(0);
  const restored = await startGateway({ database: 'postgresql', env: { DATABASE_URL: copy } });
  for (const id of before) expect((await restored.rest('GET', `${path}/${id}`)).status).toBe(200);
  await createRepairs(restored, 1, input);
  await restored.close();

  // What a pg_restore leaves that was killed when it had restored the data and a third of the rest.
  await server.run('createdb', '--maintenance-db', server.url('postgres'), 'half');
  const half = server.url('half');
  const entries = (await server.run('pg_restore', '--list', file)).split('\n').filter((line) => /^\d/.test(line));
  const kept = entries.findIndex((line) => / (CONSTRAINT|INDEX|TRIGGER) /.test(line)) + entries.length / 10;
  writeFileSync(`${file}.list`, entries.slice(0, kept).join('\n'));
  await server.run('pg_restore', '--no-owner', '--use-list', `${file}.list`, '--dbname', half, file);
  const incomplete = await records(['check', '--database-url', half]);
  expect(incomplete.code).toBe(3);
  for (const kind of ['primary key', 'index', 'trigger', 'foreign key']) {
    expect(incomplete.text).toMatch(new RegExp(`^ +The ${kind} \\w+ of \\w+ is missing$`, 'm'));
  }
  await expect(startGateway({ database: 'postgresql', env: { DATABASE_URL: half } })).rejects.toThrow(
    /^The database is not what its migrations make: .*Restore it again\.$/,
  );

  const client = new pg.Client({ connectionString: copy });
  await client.connect();
  await client.query('DELETE FROM "AssetRepairConsumedItem" WHERE "idx" = 2');
  await client.end();
  const broken = await records(['check', '--database-url', copy]);
  expect(broken.code).not.toBe(0);
  expect(broken.text).toMatch(/^NO .*lines are numbered/m);
  await gateway.close();
}, 120_000);
