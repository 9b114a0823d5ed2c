/** A clock that is set while the gateway runs is told of in the log, and by the metric. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { startProcess } from '../support/process.js';

const API_KEY = 'a-key-that-is-long-enough';
const hours = 2;
const inHours = (seconds: number) => Math.round(seconds / 3600) + 0;

test.each(providers)('a step forward and back on %s', async (provider) => {
  const step = join(freshFolder(), 'step');
  const gateway = startProcess({
    ...{ API_KEY, METRICS_PORT: '0', DATABASE_URL: await freshDatabaseUrl(provider) },
    NODE_OPTIONS: `--import ${new URL('../faults/step-clock.mjs', import.meta.url).href}`,
    CLOCK_STEP: step,
    CLOCK_LOOKS: '100',
  });
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  const url = await gateway.ready();
  const metrics = /Metrics {3}(http:\S+)/.exec(gateway.output())?.[1] ?? '';
  const ahead = async () => {
    const text = await (await fetch(metrics)).text();
    return Number(/^records_ids_ahead_seconds (\S+)$/m.exec(text)?.[1]);
  };
  /** How many hours ahead of the clock of the machine a new record is. */
  const hoursOfNewRecord = async () => {
    const answer = await fetch(`${url}/api/crm/industry-type`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ industry: 'Steel' }),
    });
    return inHours((Date.parse((await answer.json()).created_at) - Date.now()) / 1000);
  };
  /** What was told of the clock: the hours of each line. */
  const told = () =>
    [...gateway.log().matchAll(/"(steppedSeconds|aheadSeconds)":(-?\d+)/g)].map(([, name, seconds]) => [
      name,
      inHours(Number(seconds)),
    ]);

  expect([await hoursOfNewRecord(), inHours(await ahead()), told()]).toEqual([0, 0, []]);
  writeFileSync(step, String(hours * 3_600_000));
  const forward = ['steppedSeconds', hours];
  await expect.poll(told).toEqual([forward]);
  expect(await hoursOfNewRecord()).toBe(hours);

  rmSync(step);
  await expect.poll(told).toEqual([forward, ['steppedSeconds', -hours], ['aheadSeconds', hours]]);
  expect(await hoursOfNewRecord()).toBe(0);
  await expect.poll(async () => inHours(await ahead())).toBe(hours);
  expect(gateway.log()).toContain('docs/operations.md (\\"A wrong clock\\")');
});
