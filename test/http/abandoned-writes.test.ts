/** What is logged of a request whose client has gone: a write goes on, so its failure is one. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

test('a write that the database stops is logged as an error, though nobody waits for its answer', async () => {
  const url = new URL(await freshDatabaseUrl('postgresql'));
  const holder = new pg.Client(url.href);
  await holder.connect();
  onTestFinished(() => holder.end());
  url.searchParams.set('statement_timeout', '1000');
  const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: url.href } });
  onTestFinished(() => gateway.close());
  await holder.query('BEGIN; LOCK TABLE "IndustryType" IN ACCESS EXCLUSIVE MODE');
  const { hostname, port } = new URL(gateway.url);
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
  const path = '/api/crm/industry-type';
  const leaving = request({ hostname, port, path, method: 'POST', agent: false, headers });
  leaving.on('error', () => undefined).end(JSON.stringify({ industry: 'x' }));
  await sleep(300);
  leaving.destroy();
  const logged = () => gateway.logLines.map((line) => JSON.parse(line));
  await expect.poll(() => logged().find(({ msg }) => msg === 'request')).toMatchObject({ path, aborted: true });
  await expect.poll(() => logged().find(({ level, err }) => level === 'error' && err)).toBeDefined();
  await holder.query('ROLLBACK');
});
