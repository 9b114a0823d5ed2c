/** The metrics port of a gateway process. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { metricsServer } from '../../../src/features/metrics/start-metrics.js';
import { freshDatabaseUrl } from '../../support/database.js';
import { startProcess } from '../../support/process.js';

const API_KEY = 'canary-key-from-the-environment';

test('METRICS_PORT opens a port that serves the metrics and nothing else', async () => {
  const gateway = startProcess({
    API_KEY,
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: await freshDatabaseUrl('sqlite'),
  });
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  await gateway.ready();
  const url = /Metrics {3}(http:\S+)/.exec(gateway.output())?.[1] ?? '';
  const answer = await fetch(url);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toMatch(/^records_info\{version="[^"]+",node="[^"]+",database="sqlite"\} 1$/m);
  expect(text).toMatch(/^records_streams 0$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(text).not.toContain('canary');
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  expect((await fetch(url.replace('/metrics', '/api/crm/industry-type'))).status).toBe(404);
});

test('however many ask, the metrics are read once a second, and few connections are open', async () => {
  let reads = 0;
  const errors: unknown[] = [];
  const text = async () => {
    if (++reads === 2) throw new Error('canary');
    return 'x '.repeat(100_000);
  };
  const server = metricsServer({ text, contentType: 'text/plain' }, (error) => errors.push(error));
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/metrics?by=prometheus`;
  const answers = await Promise.all(Array.from({ length: 10 }, async () => (await fetch(url)).text()));
  expect(answers.every((answer) => answer.length === 200_000)).toBe(true);
  expect(reads).toBe(1);
  // A client that sends requests without reading the answers is served one at a time.
  const greedy = Array.from({ length: 60 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause().write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    return socket;
  });
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await expect.poll(open).toBeGreaterThan(0);
  expect(await open()).toBeLessThanOrEqual(20);
  expect(reads).toBeLessThan(5);
  for (const socket of greedy) socket.destroy();
  await expect.poll(open).toBeLessThan(20);
  await expect.poll(async () => (await fetch(url)).status).toBe(500);
  expect(errors).toHaveLength(1);
  await expect.poll(async () => (await fetch(url)).status).toBe(200);
});

test('a port in use is reported with the name of the setting, before a first key is made that nobody would see', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const gateway = startProcess({ PORT: '0', METRICS_PORT: String(port), DATABASE_URL });
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toContain(
    `Port ${port} on 127.0.0.1 is in use. Stop what runs there, or choose another with METRICS_PORT.`,
  );
  const next = startProcess({ PORT: '0', DATABASE_URL });
  onTestFinished(async () => {
    next.child.kill('SIGKILL');
    await next.ended;
  });
  await next.ready();
  expect(next.output()).toMatch(/API key {3}brg_\w+\n/);
});
