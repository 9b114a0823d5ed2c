/**
 * A new version starts beside the previous one, which keeps serving on the new tables: no request is refused, and no
 * answer is wrong.
 */

import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { checkDatabase } from '../../src/features/check/check-database.js';
import { features } from '../../src/features.js';
import { emptyDatabaseUrl, providers } from '../support/database.js';
import { type GatewayProcess, run } from '../support/process.js';
import { Load, type Serving } from './load.js';
import { followingVersion, type Program, versionBefore } from './versions.js';

const key = 'a-key-that-all-versions-know-of';
const clients = 6;
/** Requests that each gateway answers in each step. */
const requests = 60;

let before: Program | undefined;
let following: Program = [];
beforeAll(async () => {
  [before, following] = await Promise.all([versionBefore(), followingVersion()]);
});

describe.each(providers)('on %s', (provider) => {
  test('this version beside the one before, and the one that follows beside this one', async ({ skip }) => {
    const databaseUrl = await emptyDatabaseUrl(provider);
    const started: GatewayProcess[] = [];
    const start = async (program: Program): Promise<Serving & { process: GatewayProcess }> => {
      const process_ = run(process.execPath, [...program, 'serve'], {
        DATABASE_URL: databaseUrl,
        API_KEY: key,
        LOG_LEVEL: 'warn',
      });
      started.push(process_);
      return { url: await process_.ready(), answered: 0, process: process_ };
    };
    const stop = async ({ process: { child, ended, log } }: { process: GatewayProcess }) => {
      child.kill('SIGTERM');
      expect(await ended, log()).toBe(0);
    };
    const current = [join(inject('testRun').built, 'src/main.js')];

    try {
      let old = await start(before ?? current);
      const load = new Load(key, clients, old);
      await load.goOn(requests);
      // Without a previous commit there is no other version to begin with.
      for (const program of before ? [current, following] : [following]) {
        const next = await start(program);
        load.add(next);
        await load.goOn(requests);
        if (program === following) await keepsWhatOnlyTheNewOneKnows(old, next);
        if (program === following) {
          // A gateway that is restarted in the middle of the upgrade also works.
          await load.remove(old);
          await stop(old);
          old = await start(current);
          load.add(old);
          await load.goOn(requests);
        }
        await load.remove(old);
        await stop(old);
        await load.goOn(requests);
        old = next;
      }
      await load.end();
      expect(load.problems).toEqual([]);
      const answer = await ask(old, 'POST', '/graphql', { query: '{ assetRepairs(first: 1) { totalCount } }' });
      expect(answer).toEqual({ data: { assetRepairs: { totalCount: load.kept + 1 } } });
      await stop(old);
    } finally {
      for (const { child } of started) child.kill('SIGKILL');
    }
    const migrations = /_expand_noted_then/;
    const wrong = (await checkDatabase(databaseUrl, features)).flatMap(({ problems }) => problems);
    expect(wrong.filter((problem) => !migrations.test(problem))).toEqual([]);
    if (!before) skip('There is no commit before this one: only this version and one that follows were run');
  });
});

/** Fields that the previous version does not know stay as they are when it changes the record. */
async function keepsWhatOnlyTheNewOneKnows(old: Serving, next: Serving): Promise<void> {
  const made = await ask(next, 'POST', '/api/assets/asset-repair', {
    asset: 'A',
    failure_date: '2026-11-20',
    noted_then: 'new',
  });
  expect(made).toMatchObject({ noted_then: 'new' });
  const path = `/api/assets/asset-repair/${made.id}`;
  const changed = await ask(old, 'PATCH', path, { description: 'by the one before' });
  expect(changed).toMatchObject({ description: 'by the one before' });
  expect(changed).not.toHaveProperty('noted_then');
  expect(await ask(next, 'GET', path)).toMatchObject({ noted_then: 'new', description: 'by the one before' });
}

async function ask({ url }: Serving, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
}
