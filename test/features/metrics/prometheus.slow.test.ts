/** The alerts and the dashboard that we deliver, run by Prometheus against the metrics of real gateways. */
import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';
import { startProcess } from '../../support/process.js';
import { startPrometheus } from '../../support/prometheus.js';
import { API_KEY, path, startWorkers } from '../../workers/workers.js';
import { webhookSettings } from '../webhooks/deliverer.js';
import { startReceiver } from '../webhooks/receiver.js';
import { queries } from './queries.js';

/** Series that only the other database has. */
const elsewhere = { sqlite: 'records_database_connections', postgresql: 'records_commits_total' };

describe.each(providers)('on %s', (provider) => {
  test('each query returns a number when the metrics have data for it', async () => {
    const settings = { ...webhookSettings, METRICS_PORT: '0', REQUESTS_AT_ONCE: '2' };
    const { gateway, send, databaseUrl } = await startWorkers(provider, settings);
    const environment = { ...webhookSettings, DATABASE_URL: databaseUrl };
    const key = await records(['keys', 'create', 'hooks', '--scopes', '*', '--json'], environment);
    const { url } = await startReceiver((_, response) => void response.writeHead(500).end());
    const words = ['Broken', '--url', url, '--key', JSON.parse(key.text).apiKey.id];
    expect(await records(['webhooks', 'create', ...words], environment)).toMatchObject({ code: 0 });
    const prometheus = await startPrometheus(/Metrics {3}(http:\S+)/.exec(gateway.output())?.[1] ?? '');

    /** Requests of all kinds: more at once than are accepted, so that some are refused with 503. */
    const traffic = async () => {
      const some = Array.from({ length: 20 }, (_, n) => send({ method: 'POST', path, body: { industry: `no. ${n}` } }));
      const statuses = (await Promise.all(some)).map(({ status }) => status);
      await send({ method: 'POST', path: '/graphql', body: { query: '{ apiUses { name } }' } });
      return statuses;
    };
    const statuses: number[] = [];
    let isOver = false;
    const going = (async () => {
      for (; !isOver; await sleep(200)) statuses.push(...(await traffic()));
    })();
    const asked = queries().filter(([, expr]) => !expr.includes(elsewhere[provider]));
    expect(asked.length).toBeGreaterThan(20);
    /**
     * The queries without a result so far. An alert has no result if all is well, so it is evaluated without its bound.
     */
    const silent = async () => {
      const found: string[] = [];
      for (const [name, expr] of asked) {
        const values = await prometheus.values(expr.replace(/ (>|==) [\d.]+$/, ''));
        if (values.some(Number.isFinite) === expr.startsWith('absent(')) found.push(`${name}: ${expr} is ${values}`);
      }
      return found;
    };
    try {
      await expect.poll(silent, { timeout: 40_000, interval: 500 }).toEqual([]);
    } finally {
      isOver = true;
      await going;
    }
    expect(new Set(statuses)).toEqual(new Set([201, 503]));

    const rules = await prometheus.rules();
    expect(rules.length).toBe(queries().filter(([name]) => name.startsWith('Records')).length);
    for (const { name, health, lastError } of rules) expect([name, health, lastError]).toEqual([name, 'ok', undefined]);
    expect(await prometheus.values('records_workers{state="serving"}')).toEqual([2]);
  }, 90_000);
});

test('each alert has a severity; a gateway that ended and a database that does not answer have alerts of their own', async () => {
  const databaseUrl = await freshDatabaseUrl('sqlite');
  const start = async () => {
    const gateway = startProcess({ API_KEY, METRICS_PORT: '0', DATABASE_URL: databaseUrl });
    onTestFinished(async () => {
      gateway.child.kill('SIGKILL');
      await gateway.ended;
    });
    await gateway.ready();
    return { ...gateway, metrics: /Metrics {3}(http:\S+)/.exec(gateway.output())?.[1] ?? '' };
  };
  const [one, other] = [await start(), await start()];
  const prometheus = await startPrometheus(one.metrics, other.metrics);
  const told = async () =>
    (await prometheus.rules()).flatMap(({ name, state }) => (state === 'inactive' ? [] : [name]));
  await expect.poll(() => prometheus.values('up == 1')).toEqual([1, 1]);
  await expect.poll(() => prometheus.values('records_database_up')).toEqual([1, 1]);
  await expect.poll(told, { timeout: 20_000 }).toEqual([]);
  for (const { name, labels } of await prometheus.rules())
    expect([name, labels.severity]).toEqual([name, expect.stringMatching(/^(critical|warning)$/)]);

  other.child.kill('SIGKILL');
  await expect.poll(told).toEqual(['RecordsInstanceDown']);
  renameSync(databaseUrl.slice('file:'.length), `${databaseUrl.slice('file:'.length)}.away`);
  await expect.poll(told).toEqual(['RecordsInstanceDown', 'RecordsDatabaseDown']);
}, 90_000);
