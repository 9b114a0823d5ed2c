/** Several workers act as one gateway: the first key, limits and streams apply to all of them together. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseInTurn, emptyDatabaseUrl } from '../support/database.js';
import { openStream } from './stream.js';
import { path, startWorkers } from './workers.js';

const sumOf = (counts: ReadonlyMap<number, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  test('both answer at one address, migrate once, and name themselves in the log and the metrics', async () => {
    const both = await startWorkers(provider, { DATABASE_URL: await emptyDatabaseUrl(provider) });
    // The system gives each new connection to a worker that waits for one.
    const answeredBy = new Set<number>();
    while (answeredBy.size < 2) answeredBy.add(await both.workerOf(await both.send()));
    expect(answeredBy).toEqual(new Set([1, 2]));
    expect(both.gateway.log().match(/Applied the migration \d+_records"/g)).toHaveLength(1);
    expect(both.gateway.output().match(/REST {6}/g)).toHaveLength(1);
    const metrics = await both.metrics();
    for (const worker of ['1', '2']) {
      const label = `worker="${worker}"\\}`;
      expect(metrics).toMatch(new RegExp(`^records_info\\{.*${label} 1$`, 'm'));
      expect(metrics).toMatch(new RegExp(`^records_requests_total\\{.*"IndustryTypeList".*${label} [1-9]`, 'm'));
      expect(metrics).toMatch(new RegExp(`^process_cpu_seconds_total\\{${label} `, 'm'));
    }
    expect(metrics).toMatch(/^records_workers\{state="wanted",worker="primary"\} 2$/m);
    expect(metrics).toMatch(/^records_workers\{state="serving",worker="primary"\} 2$/m);
    const types = metrics.split('\n').filter((line) => line.startsWith('# TYPE'));
    expect(new Set(types).size).toBe(types.length);
  });

  test('the first key is made once, and works in both', async () => {
    const both = await startWorkers(provider, { API_KEY: undefined });
    const keys = [...both.gateway.output().matchAll(/API key {3}(brg_\S+|\S+)$/gm)].map(([, key]) => key);
    expect(keys).toHaveLength(1);
    const authorization = `Bearer ${keys[0]}`;
    for (let sent = 0; sent < 6; sent++) expect((await both.send({ headers: { authorization } })).status).toBe(200);
  });

  test('what one has committed the other reads at once, and streams of both tell of it', async () => {
    const both = await startWorkers(provider);
    const streams = [await openStream(both)];
    while ((await both.streams()).size < 2) streams.push(await openStream(both));
    const ids: string[] = [];
    for (let written = 0; written < 6; written++) {
      const { status, body } = await both.send({ method: 'POST', body: { industry: `number ${written}` } });
      expect(status).toBe(201);
      ids.push(body.id);
      for (const _ of [1, 2]) expect((await both.send({ path: `${path}/${body.id}` })).status).toBe(200);
    }
    for (const { told } of streams) await expect.poll(() => ids.filter((id) => !told().includes(id))).toEqual([]);
  });

  test('streams and requests of a key are counted for all workers', async () => {
    const both = await startWorkers(provider, { STREAMS_PER_KEY: '3', STREAMS_AT_ONCE: '5', RATE_LIMIT: '30' });
    // What is counted in a minute is not to be counted in two.
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 20_000) await sleep(left + 100);
    const streams = await Promise.all([1, 2, 3, 4, 5].map(() => openStream(both)));
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    streams.find(({ status }) => status === 200)?.close();
    await expect.poll(async () => sumOf(await both.streams())).toBe(2);
    expect((await openStream(both)).status).toBe(200);
    // Every worker reports what is left for all of them.
    const viewer = { path: '/graphql', method: 'POST', body: { query: '{ viewer { streams { limit remaining } } }' } };
    const told = await Promise.all([1, 2, 3, 4].map(() => both.send(viewer)));
    expect(told.map(({ body }) => body.data.viewer.streams)).toEqual(told.map(() => ({ limit: 3, remaining: 0 })));
    const answers = await Promise.all(Array.from({ length: 40 }, () => both.send()));
    const statuses = answers.map(({ status }) => status);
    // Six streams, four queries and the requests of this test use up the limit of the key.
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test('while the primary process does not answer, streams end in 504 at the deadline and keep no place', async () => {
    const both = await startWorkers(provider, { STREAMS_PER_KEY: '3', REQUEST_TIMEOUT: '2' });
    expect((await openStream(both)).status).toBe(200);
    const { child } = both.gateway;
    child.kill('SIGSTOP');
    onTestFinished(() => void child.kill('SIGCONT'));
    const subscription = {
      path: '/graphql',
      method: 'POST',
      body: { query: 'subscription { changes { position } }' },
      headers: { accept: 'text/event-stream' },
    };
    const [opened, subscribed] = await Promise.all([openStream(both), both.send(subscription)]);
    expect([opened.status, subscribed.status]).toEqual([504, 504]);
    child.kill('SIGCONT');
    const viewer = { path: '/graphql', method: 'POST', body: { query: '{ viewer { streams { limit remaining } } }' } };
    await expect
      .poll(async () => (await both.send(viewer)).body.data?.viewer.streams, { timeout: 20_000 })
      .toEqual({ limit: 3, remaining: 2 });
  });
});
