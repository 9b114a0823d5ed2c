import { expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl } from '../../support/database.js';
import { startProcess } from '../../support/process.js';

test('without the SDK the gateway says what is missing, and serves', async () => {
  const gateway = startProcess({
    DATABASE_URL: await freshDatabaseUrl('sqlite'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  });
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  expect((await fetch(`${await gateway.ready()}/healthz`)).status).toBe(200);
  expect(gateway.log()).toContain('the package @opentelemetry/sdk-node is not installed');
});
