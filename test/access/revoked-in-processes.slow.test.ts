/** As in key-that-ends.test.ts, for keys that are revoked on the command line while several processes serve. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startProcess, startRecords } from '../support/process.js';
import { aSecond, requests, sendSlowly } from './slow-requests.js';

describe.each(providers)('a key revoked by the command line, on %s', (provider) => {
  test('does not count for what was begun with it at any of several processes', async () => {
    const DATABASE_URL = await freshDatabaseUrl(provider);
    // SQLite's processes are the workers of one gateway.
    const WORKERS = provider === 'sqlite' ? '2' : '1';
    const settings = { DATABASE_URL, API_KEY: 'the-key-of-all-processes', WORKERS };
    const gateways = (provider === 'sqlite' ? [1] : [1, 2]).map(() => startProcess(settings));
    const urls = await Promise.all(gateways.map(({ ready }) => ready()));
    const revokedMeanwhile = async () => {
      const made = startRecords({ DATABASE_URL }, ['keys', 'create', 'A script', '--scopes', '*', '--json']);
      expect(await made.ended, made.log()).toBe(0);
      const { apiKey, secret } = JSON.parse(made.output());
      const begun = performance.now();
      const slow = await Promise.all(
        urls.flatMap((url) => Object.values(requests).map((request) => sendSlowly(url, secret, request))),
      );
      const revoked = startRecords({ DATABASE_URL }, ['keys', 'revoke', apiKey.id]);
      expect(await revoked.ended, revoked.log()).toBe(0);
      await sleep(aSecond);
      const took = performance.now() - begun;
      return { took, answers: await Promise.all(slow.map((finish) => finish())) };
    };
    let { took, answers } = await revokedMeanwhile();
    // A body may take ten seconds. Where the command alone takes as long to start, nothing was asked.
    for (let tries = 1; took > 9_000 && tries < 5; tries++) ({ took, answers } = await revokedMeanwhile());
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    for (const { child } of gateways) child.kill('SIGTERM');
    await Promise.all(gateways.map(({ ended }) => ended));
  });
});
