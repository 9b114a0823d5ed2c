/** Workers that end or are stopped, and the reaction of their gateway. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { killWithConnections, wasKilled } from '../support/connections.js';
import { databaseInTurn, freshDatabaseUrl } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { startLoad } from './load.js';
import { openStream } from './stream.js';
import { API_KEY, path, startWorkers, type Workers } from './workers.js';

const pidsOf = async (workers: Workers, count: number) => (await workers.served(count)).map(({ pid }) => Number(pid));
const totalOf = async ({ send }: Workers) => (await send({ path: `${path}?limit=1` })).body.total;

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  test('a killed worker is replaced; its streams no longer count, and no acknowledged write is lost', async () => {
    const workers = await startWorkers(provider, { STREAMS_PER_KEY: '4' });
    const streams = await Promise.all([1, 2, 3, 4].map(() => openStream(workers)));
    expect((await openStream(workers)).status).toBe(429);
    const counted = async () => [...(await workers.streams()).values()].reduce((sum, count) => sum + count, 0);
    await expect.poll(counted, { timeout: 10_000 }).toBe(4);
    const [[number, lost] = [0, 0]] = await workers.streams();
    const load = startLoad(workers);
    await expect.poll(load.answered).toBeGreaterThan(50);
    const served = await workers.served(2);
    const kill = await killWithConnections(Number(served.find(({ worker }) => worker === number)?.pid));
    expect((await workers.served(3))[2]).toMatchObject({ worker: number });
    await load.stop();
    // Each client had at most one request on a connection of the killed one.
    expect(load.failed.length).toBeLessThanOrEqual(8);
    expect(load.failed.filter((why) => !/ECONNRESET|socket hang up/.test(why))).toEqual([]);
    // Requests on those of the other one were answered.
    expect(load.brokenOff.filter(({ connection }) => !wasKilled(connection, [kill])).map(String)).toEqual([]);
    expect(streams.filter(({ hasEnded }) => hasEnded())).toHaveLength(lost);
    const again = await Promise.all(Array.from({ length: lost + 1 }, () => openStream(workers)));
    expect(again.map(({ status }) => status).sort()).toEqual([...Array(lost).fill(200), 429]);
    for (const id of load.created) expect((await workers.send({ path: `${path}/${id}` })).status).toBe(200);
    expect(await workers.metrics()).toMatch(/^records_workers_replaced_total\{worker="primary"\} 1$/m);
  });

  test('SIGUSR2 replaces all of them one after another, and no request fails', async () => {
    const workers = await startWorkers(provider);
    const stream = await openStream(workers);
    const idle = await workers.send({ path: '/readyz' });
    expect(idle.status).toBe(200);
    const load = startLoad(workers);
    await expect.poll(load.answered).toBeGreaterThan(50);
    const before = await pidsOf(workers, 2);
    workers.gateway.child.kill('SIGUSR2');
    await expect.poll(() => workers.lines('Every worker was replaced').length, { timeout: 60_000 }).toBe(1);
    const after = (await pidsOf(workers, 4)).slice(2);
    expect(new Set([...before, ...after]).size).toBe(4);
    const answered = load.answered();
    await expect.poll(load.answered).toBeGreaterThan(answered + 50);
    await load.stop();
    expect(load.failed).toEqual([]);
    expect(await totalOf(workers)).toBe(load.created.length);
    expect(stream.told()).toContain('closing');
    for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('SIGTERM lets all of them finish, and ends with 0', async () => {
    const workers = await startWorkers(provider);
    const pids = await pidsOf(workers, 2);
    const load = startLoad(workers);
    await expect.poll(load.answered).toBeGreaterThan(50);
    workers.gateway.child.kill('SIGTERM');
    expect(await workers.gateway.ended).toBe(0);
    await load.stop();
    expect(load.failed.filter((why) => !/ECONNREFUSED|ECONNRESET|socket hang up/.test(why))).toEqual([]);
    expect(
      workers
        .lines('Stopped')
        .map(({ worker }) => worker)
        .sort(),
    ).toEqual([1, 2, undefined]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

test('SIGHUP reaches all of them', async () => {
  const workers = await startWorkers('sqlite');
  writeFileSync(join(workers.gateway.folder, '.env'), 'LOG_LEVEL=debug\n');
  workers.gateway.child.kill('SIGHUP');
  const reloaded = () => workers.lines('The settings were reloaded').map(({ worker }) => worker);
  await expect.poll(() => reloaded().sort()).toEqual([1, 2]);
  // The share of a limit that each worker has is not reported as a changed setting.
  expect(workers.lines('These settings have changed and need a new start')).toEqual([]);
});

test('the message and the exit code of a first worker that cannot start are those of the gateway', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const gateway = startProcess({ API_KEY, DATABASE_URL, WORKERS: '2', PORT: String(port) });
  expect(await gateway.ended).toBe(1);
  expect(
    gateway
      .log()
      .split('\n')
      .filter((line) => line.startsWith('error:')),
  ).toEqual([`error: Port ${port} on 127.0.0.1 is in use. Stop what runs there, or choose another with PORT.`]);
  const wrong = startProcess({ API_KEY, DATABASE_URL, WORKERS: '0', TRUSTED_DOCUMENTS: '/nowhere' });
  expect(await wrong.ended).toBe(2);
  expect(wrong.log()).toContain('WORKERS must be a whole number from 1 to 99, or auto, not "0".');
  const unread = startProcess({ API_KEY, DATABASE_URL, WORKERS: '2', TRUSTED_DOCUMENTS: '/nowhere' });
  expect(await unread.ended).toBe(2);
  expect(unread.log().match(/^error:/gm)).toHaveLength(1);
});

test('where no worker can start any more, the gateway says so and ends', async () => {
  const folder = await freshDatabaseUrl('sqlite');
  const workers = await startWorkers('sqlite', { DATABASE_URL: folder });
  const file = folder.slice('file:'.length);
  for (const name of [`${file}-wal`, `${file}-shm`, file]) writeFileSync(name, 'This is no database.'.repeat(1000));
  for (const pid of await pidsOf(workers, 2)) process.kill(pid, 'SIGKILL');
  expect(await workers.gateway.ended).toBe(1);
  expect(workers.gateway.log()).toContain('is not an SQLite database');
  expect(
    workers.lines('No worker can be started any more, and the gateway ends. The lines above say why'),
  ).toHaveLength(1);
});
