/**
 * Processes with and without SEARCH=true on one database: whatever they do to the index, searches do not miss words for
 * long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspect } from '../../../src/database/inspection.js';
import { searchIndex } from '../../../src/features/search/check-index.js';
import { indexSome } from '../../../src/features/search/index/index-existing.js';
import { keepSearch } from '../../../src/features/search/keep-search.js';
import { turnSearchOff, turnSearchOn } from '../../../src/features/search/search-state.js';
import { isSearched } from '../../../src/features/search/searched-fields.js';

import { freshDatabaseUrl, isDistributed, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';

const waitingForLocks = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Milliseconds between checks, short for tests; `never` is for a process that ends before its next check. */
const soon = { every: 50, grace: 400 };
const never = { every: 1_000_000, grace: 0 };

/** A process on the database, with its log entries about the index. */
async function startOne(url: string, isOn: boolean, { indexes = true, times = soon } = {}) {
  const gateway = await startGateway({ env: { DATABASE_URL: url, SEARCH: 'false' } });
  const logged: string[] = [];
  const log = {
    info: (_: unknown, message?: string) => void logged.push(message ?? String(_)),
    warn: (_: unknown, message?: string) => void logged.push(message ?? String(_)),
  };
  const config = { search: isOn, databaseUrl: url };
  const end = await keepSearch({ ...gateway.database, isNew: false }, resources, { config, indexes, log, times });
  onTestFinished(async () => {
    end();
    await gateway.close();
  });
  return { gateway, logged, end };
}

type One = Awaited<ReturnType<typeof startOne>>;

const write = async ({ gateway }: One, industry: string): Promise<void> => {
  expect((await gateway.rest('POST', '/api/crm/industry-type', { industry })).status).toBe(201);
};

const query = '{ found: industryTypes(search: "number") { nodes { industry } } }';

/** The result of a search, in order, or the reason for its refusal. */
async function found({ gateway }: One): Promise<string[] | string> {
  const { body } = await gateway.graphql(query);
  if (body.errors) return body.errors[0].message;
  return body.data.found.nodes.map(({ industry }: { industry: string }) => industry).sort();
}

const finds = (one: One, texts: string[]) => expect.poll(() => found(one), { timeout: 15_000 }).toEqual(texts);

describe.skipIf(isDistributed).each(providers)('on %s', (provider) => {
  test('a process that does not keep the index turns it off, and when it has ended, one that does makes it anew', async () => {
    const url = await freshDatabaseUrl(provider);
    const keeping = await startOne(url, true);
    await finds(keeping, []);
    const other = await startOne(url, false);
    expect(await found(keeping)).toContain('SEARCH=true');
    await write(other, 'number one');
    await sleep(5 * soon.grace);
    // It stays off, however often the first process has tried to turn it on.
    expect(typeof (await found(keeping))).toBe('string');
    other.end();
    await finds(keeping, ['number one']);
    expect(keeping.logged).toContainEqual(expect.stringContaining('SEARCH=false'));
  });

  test('what a process without it writes before it notices, and ends, is indexed all the same', async () => {
    const url = await freshDatabaseUrl(provider);
    const other = await startOne(url, false, { times: never });
    const keeping = await startOne(url, true, { times: { every: 50, grace: 4_000 } });
    // Everything that it would have indexed at once is indexed by now.
    await sleep(1_000);
    await write(other, 'number one');
    other.end();
    await finds(keeping, ['number one']);
  });

  test('a worker that does not index may turn it on: the one that does makes it', async () => {
    const url = await freshDatabaseUrl(provider);
    const first = await startOne(url, true);
    await finds(first, []);
    const old = await startOne(url, false, { times: never });
    await write(old, 'number one');
    old.end();
    const second = await startOne(url, true, { indexes: false });
    await finds(second, ['number one']);
  });

  test('a process that is indexing notices that another one has turned the index off and on', async () => {
    if (provider === 'sqlite') return; // it has one writer
    const url = await freshDatabaseUrl(provider);
    const { gateway } = await startOne(url, false, { times: never });
    const industryType = resources.find(({ model }) => model === 'IndustryType');
    if (!industryType) throw new Error('There is no such type');
    for (let number = 0; number < 25; number++)
      await gateway.rest('POST', '/api/crm/industry-type', { industry: `n ${number}` });
    const turnOn = () => gateway.database.perform(() => turnSearchOn(resources.filter(isSearched)));
    const next = () => gateway.database.perform(() => indexSome('postgresql', industryType));
    await turnOn();
    expect(await next()).toBe(true);
    const [holder, asking] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([holder.connect(), asking.connect()]);
    onTestFinished(async () => void (await Promise.all([holder.end(), asking.end()])));
    await holder.query('BEGIN; SELECT 1 FROM "IndustryType" FOR UPDATE');
    const late = next();
    await expect.poll(async () => (await asking.query(waitingForLocks)).rowCount).toBe(1);
    await gateway.database.perform(turnSearchOff);
    await turnOn();
    await holder.query('COMMIT');
    await late;
    const { rows } = await asking.query(`SELECT "upTo" FROM "SearchState" WHERE "model" = 'IndustryType'`);
    expect(rows).toEqual([{ upTo: '' }]);
  });

  test('words that an earlier version has made in another way are made anew, and others are not', async () => {
    const url = await freshDatabaseUrl(provider);
    const earlier = await startOne(url, false, { times: never });
    await write(earlier, 'number 中国公司');
    const create = 'mutation { createUOMCategory(input: { categoryName: "mass" }) { record { id } } }';
    expect((await earlier.gateway.graphql(create)).body.errors).toBeUndefined();
    earlier.end();
    const keeping = await startOne(url, true, { times: { every: 50, grace: 0 } });
    await finds(keeping, ['number 中国公司']);
    keeping.end();
    const { client } = earlier.gateway.database;
    await client.$executeRawUnsafe(
      `UPDATE "SearchText" SET "words" = '["number","中","国","公","司"]' WHERE "model" = 'IndustryType'`,
    );
    await client.$executeRawUnsafe(`UPDATE "SearchState" SET "form" = 1, "upTo" = 'x'`);
    // A check between the upgrade and the first start finds nothing wrong.
    const problems = await inspect(url, false, (inspection) => searchIndex.problems(inspection, resources));
    expect(problems).toEqual([]);
    const search = '{ found: industryTypes(search: "国公") { nodes { industry } } }';
    const { gateway, logged } = await startOne(url, true, { times: { every: 50, grace: 0 } });
    await expect
      .poll(async () => (await gateway.graphql(search)).body.data?.found, { timeout: 15_000 })
      .toEqual({ nodes: [{ industry: 'number 中国公司' }] });
    const states = await client.$queryRawUnsafe<object[]>(
      `SELECT "model", "form" FROM "SearchState" WHERE "upTo" = 'x'`,
    );
    expect(states).toContainEqual({ model: 'UOMCategory', form: 2 });
    expect(states).not.toContainEqual({ model: 'IndustryType', form: 2 });
    await client.$executeRawUnsafe(`UPDATE "SearchState" SET "form" = 1`);
    await expect.poll(() => logged).toContainEqual(expect.stringContaining('an earlier version'));
    expect(logged).not.toContainEqual(expect.stringContaining('SEARCH=false'));
  });

  test('two processes that turn the index on at the same time both start', async () => {
    if (provider === 'sqlite') return; // it has one writer
    const url = await freshDatabaseUrl(provider);
    const { gateway } = await startOne(url, false, { times: never });
    const holder = new pg.Client(url);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(
      `BEGIN; INSERT INTO "SearchState" ("model", "upTo", "isComplete") VALUES ('IndustryType', 'x', TRUE)`,
    );
    const late = gateway.database.perform(() => turnSearchOn(resources.filter(isSearched)));
    const outcome = late.then(
      () => 'on',
      (error: unknown) => error,
    );
    await expect.poll(async () => (await holder.query(waitingForLocks)).rowCount).toBe(1);
    await holder.query('COMMIT');
    expect(await outcome).toBe('on');
    const { rows } = await holder.query(`SELECT "upTo" FROM "SearchState" WHERE "model" = 'IndustryType'`);
    expect(rows).toEqual([{ upTo: 'x' }]);
  });
});
