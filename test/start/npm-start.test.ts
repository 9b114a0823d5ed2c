import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { run } from '../support/process.js';

const root = resolve(import.meta.dirname, '../..');

test('npm start builds the gateway, starts what it built, and hands it the signal to stop', async () => {
  const gateway = run('npm', ['--prefix', root, 'start'], { DATABASE_URL: await freshDatabaseUrl('sqlite') });
  try {
    const url = await gateway.ready();
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok' });
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toBe(0);
    expect(gateway.log()).toContain('Stopped');
  } finally {
    gateway.child.kill('SIGKILL');
  }
});
