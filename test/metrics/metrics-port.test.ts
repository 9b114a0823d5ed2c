/** The port of the metrics, of a gateway's process. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { startProcess } from '../support/process.js';

const API_KEY = 'canary-key-from-the-environment';

test('METRICS_PORT opens a port that tells the metrics, and nothing else', async () => {
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

test('a port in use is told with the setting that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const gateway = startProcess({
    API_KEY,
    PORT: '0',
    METRICS_PORT: String(port),
    DATABASE_URL: await freshDatabaseUrl('sqlite'),
  });
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toContain(
    `Port ${port} on 127.0.0.1 is in use. Stop what runs there, or choose another with METRICS_PORT.`,
  );
});
