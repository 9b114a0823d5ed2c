/** A gateway that is started before its database, and one whose database goes away. */
import { expect, onTestFinished, test } from 'vitest';
import { freePort, startPostgresql } from '../support/postgresql.js';
import { startProcess } from '../support/process.js';

test('a gateway that starts before PostgreSQL waits for it, says so once, and its metrics say whether it answers', async () => {
  const [port, metrics] = [await freePort(), await freePort()];
  const DATABASE_URL = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
  const gateway = startProcess({ DATABASE_URL, METRICS_PORT: String(metrics) });
  onTestFinished(() => void gateway.child.kill());
  await expect.poll(gateway.log, { timeout: 20_000 }).toContain('cannot be reached (ECONNREFUSED)');
  const server = await startPostgresql({ port });
  onTestFinished(() => server.stop());
  const url = await gateway.ready();
  expect(gateway.log().match(/ECONNREFUSED\).*The start waits for it, up to 60 s in all/g)).toHaveLength(1);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  const isUp = async () =>
    /^records_database_up ([01])$/m.exec(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text())?.[1];
  expect(await isUp()).toBe('1');
  await server.pause();
  await expect.poll(isUp, { timeout: 20_000 }).toBe('0');
  await server.resume();
  await expect.poll(isUp, { timeout: 20_000 }).toBe('1');
}, 120_000);

test('with DATABASE_WAIT=0 it ends at once', async () => {
  const DATABASE_URL = `postgresql://postgres:canary@127.0.0.1:${await freePort()}/postgres`;
  const gateway = startProcess({ DATABASE_URL, DATABASE_WAIT: '0' });
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toMatch(
    /^error: PostgreSQL at [\d.:]+ cannot be reached \(ECONNREFUSED\)\. Start it, [^\n]*\n$/,
  );
});
