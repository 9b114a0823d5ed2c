/** Settings that change while workers are replaced or start. */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { providers } from '../support/database.js';
import { startWorkers, type Workers } from './workers.js';

const set = ({ gateway }: Workers, ...lines: string[]) => writeFileSync(join(gateway.folder, '.env'), lines.join('\n'));

test('whoever replaces a worker has new settings, but those that hold for all workers stay as they are', async () => {
  const workers = await startWorkers('sqlite', {}, ['HOST=127.0.0.1', 'RATE_LIMIT=8']);
  set(workers, 'HOST=127.0.0.2', 'RATE_LIMIT=80', 'COST_LIMIT=1');
  workers.gateway.child.kill('SIGUSR2');
  await expect.poll(() => workers.lines('Every worker was replaced').length, { timeout: 60_000 }).toBe(1);
  // What is counted in a minute is not to be counted in two.
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 20_000) await sleep(left + 100);
  const query = '{ industryTypes { nodes { id } } }';
  const refused = await workers.send({ method: 'POST', path: '/graphql', body: { query } });
  expect(refused.body.errors[0].extensions).toMatchObject({ reason: 'query_too_complex' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => workers.send({ path: '/api/nowhere' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(404), ...Array(13).fill(429)]);
  expect(new Set(answers.map(({ headers }) => headers['ratelimit-limit']))).toEqual(new Set(['8']));
});

test.runIf(availableParallelism() > 1)('WORKERS=auto starts a worker for each processor', async () => {
  const workers = await startWorkers('sqlite', { WORKERS: 'auto' });
  const processors = availableParallelism();
  const served = await workers.served(processors);
  expect(new Set(served.map(({ worker }) => worker)).size).toBe(processors);
  const wanted = `records_workers{state="wanted",worker="primary"} ${processors}\n`;
  await expect.poll(workers.metrics).toContain(wanted);
});

describe.runIf(providers.includes('postgresql'))('on postgresql', () => {
  test('a worker that starts when SIGHUP comes reloads too: it may have read the settings before', async () => {
    const workers = await startWorkers('postgresql');
    const holder = new pg.Client(workers.databaseUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    // A worker that starts reads the newest ids, and waits for this.
    await holder.query('BEGIN; LOCK TABLE "IndustryType"');
    const [first] = await workers.served(2);
    process.kill(Number(first?.pid), 'SIGKILL');
    const waiting =
      'SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';
    await expect.poll(async () => (await holder.query(waiting)).rowCount, { timeout: 30_000 }).toBe(1);
    set(workers, 'LOG_LEVEL=debug');
    workers.gateway.child.kill('SIGHUP');
    const reloaded = () => workers.lines('The settings were reloaded').map(({ worker }) => worker);
    const other = first?.worker === 1 ? 2 : 1;
    await expect.poll(reloaded).toEqual([other]);
    await holder.query('COMMIT');
    await expect.poll(reloaded, { timeout: 30_000 }).toEqual([other, first?.worker]);
  });
});
