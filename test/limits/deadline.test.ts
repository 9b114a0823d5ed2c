/** REQUEST_TIMEOUT: a waiting request is answered in time, and stopped work leaves nothing behind. */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Current } from '../../src/common/kept.js';
import { RequestLog } from '../../src/common/output.js';
import { rows } from '../../src/common/work.js';
import { openDatabase } from '../../src/database/open-database.js';
import { noGrants } from '../../src/gateway/access/grants.js';
import { arrivalOf, Calls } from '../../src/gateway/call.js';
import { BoundDatabase, Deadline } from '../../src/gateway/http/deadline.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { lockIndustryTypes } from '../support/locked-industry-types.js';
import { gate } from '../support/sqlite.js';
import { waitingForLock } from '../support/waiting-for-lock.js';
import { writer } from '../support/writer.js';

const path = '/api/crm/industry-type';
const create = 'mutation ($industry: String!) { createIndustryType(input: { industry: $industry }) { record { id } } }';

test('a request asks for the client of Prisma only when it uses it, because it is made then', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.close());
  let asked = 0;
  const database = {
    ...gateway.database,
    get client() {
      asked++;
      return gateway.database.client;
    },
  };
  const bound = new BoundDatabase(database, new Deadline(undefined));
  expect(await bound.read?.(`SELECT 'read'`, [], 'bounded')).toEqual([['read']]);
  expect(asked).toBe(0);
  expect(await bound.client.industryType.count()).toBe(0);
  expect(asked).toBe(1);
});

describe.each(['sqlite', 'postgresql'] as const)('a request whose time is over, on %s', (provider) => {
  let gateway: TestGateway;
  let url: string;
  beforeAll(async () => {
    url = await freshDatabaseUrl(provider);
    gateway = await startGateway({ env: { DATABASE_URL: url, REQUEST_TIMEOUT: '1' } });
    await gateway.rest('POST', path, { industry: 'warm' });
  });
  afterAll(() => gateway.close());

  const industries = async () => {
    const rows = await gateway.database.client.industryType.findMany({ orderBy: { id: 'asc' } });
    return rows.map(({ industry }) => industry);
  };

  test('is answered 504 while it waits for a lock, and nothing of it is kept when the lock goes', async () => {
    const before = await industries();
    const release = await lockIndustryTypes(url, provider);
    const startedAt = performance.now();
    const [rest, graphql, once] = await Promise.all([
      gateway.rest('POST', path, { industry: 'late' }),
      gateway.graphql(create, { industry: 'late' }),
      gateway.graphql(create, { industry: 'late once' }, { 'Idempotency-Key': `late-${provider}` }),
    ]);
    const waited = performance.now() - startedAt;
    await release();
    const all = [rest, graphql, once];
    expect(
      all.map(({ status }) => status),
      all.map(({ text }) => text).join(),
    ).toEqual([504, 504, 504]);
    expect(rest.body.error).toMatchObject({ type: 'api_error', code: 'timeout' });
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'TIMEOUT', reason: 'timeout' });
    expect(waited).toBeGreaterThan(990);
    await sleep(300); // what was stopped has its turn now
    expect(await industries()).toEqual(before);
    // The key was not used up by a request that did not happen.
    const again = await gateway.graphql(create, { industry: 'late once' }, { 'Idempotency-Key': `late-${provider}` });
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(await industries()).toEqual([...before, 'late once']);
  });
});

test('work that was refused is over: code that goes on gets an error in time', async () => {
  const { database, close } = await startGateway();
  const deadline = new Deadline(undefined);
  const refused = new BoundDatabase(database, deadline).perform(function* () {
    yield { sql: 'SELECT 1', values: [], isWhole: true };
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  deadline.begin(10);
  await expect(deadline.resultInTime(new Promise(() => {}))).rejects.toMatchObject({ code: 'TIMEOUT' });
  await close();
});

test('work that is repeated is over in time, also while the repetition waits for a connection', async () => {
  const deadline = new Deadline(undefined);
  const working = deadline.perform(
    {
      perform: async (begin) => {
        const sent = begin().next();
        if (!sent.done) sent.value.beforeSend?.();
        begin(); // another transaction has undone it
        return new Promise(() => {});
      },
    },
    function* () {
      yield { sql: 'SELECT 1', values: [], isWhole: true };
    },
  );
  deadline.begin(10);
  await expect(deadline.resultInTime(working)).rejects.toMatchObject({ code: 'TIMEOUT' });
});

test('so is a transaction of Prisma', async () => {
  const { database, close } = await startGateway();
  const deadline = new Deadline(undefined);
  const working = deadline.transaction(
    {
      ...database,
      transaction: async (work, begin) => {
        await work(database.client);
        begin?.(); // another transaction has undone it
        return new Promise(() => {});
      },
    },
    async () => undefined,
  );
  deadline.begin(10);
  await expect(deadline.resultInTime(working)).rejects.toMatchObject({ code: 'TIMEOUT' });
  await close();
});

test('the time for the look-up of the key is subtracted from the time for the work', async () => {
  const { database, config, close } = await startGateway();
  const log = pino({ level: 'silent' });
  const grants = Current.of(noGrants);
  const arrival = arrivalOf({ ...writer(database), log: new RequestLog(log, 'x') });
  const { work } = new Calls(
    { ...arrival, grants },
    { ...config, requestTimeout: 600_000 },
    log,
    undefined,
    () => false,
  );
  await expect(work({ ...arrival, timeLeft: 10 }, () => new Promise(() => {}))).rejects.toMatchObject({
    code: 'TIMEOUT',
  });
  await close();
});

describe('on PostgreSQL', () => {
  let gateway: TestGateway;
  let url: string;
  beforeAll(async () => {
    // Statements may take longer than requests here, so that the deadline ends them.
    url = await freshDatabaseUrl('postgresql');
    gateway = await startGateway({ env: { DATABASE_URL: `${url}?statement_timeout=20000`, REQUEST_TIMEOUT: '1' } });
  });
  afterAll(() => gateway.close());

  test('a read is answered 504 while it waits, whoever answers it', async () => {
    const read = () =>
      Promise.all([
        gateway.graphql('{ industryTypes { nodes { id } } }'), // compiled
        gateway.graphql('{ industryTypes { nodes { id } } industryTypeAggregate { count } }'), // by resolvers
        gateway.rest('GET', path),
      ]);
    await read();
    const release = await lockIndustryTypes(url, 'postgresql');
    const answers = await read();
    await release();
    expect(answers.map(({ status }) => status)).toEqual([504, 504, 504]);
    expect((await read()).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('of several mutations, earlier ones stay and are answered, later ones are not begun', async () => {
    const release = await lockIndustryTypes(url, 'postgresql');
    const answering = gateway.graphql(`mutation {
      before: createUOMCategory(input: { categoryName: "before" }) { record { categoryName } }
      stuck: createIndustryType(input: { industry: "stuck" }) { record { id } }
      behind: createUOMCategory(input: { categoryName: "behind" }) { record { categoryName } }
    }`);
    // The request has begun before it waits: a second later its time is over.
    await expect.poll(() => waitingForLock(url)).toBe(1);
    await sleep(1100);
    await release();
    const answer = await answering;
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ before: { record: { categoryName: 'before' } }, stuck: null, behind: null });
    expect(
      answer.body.errors.map((error: { path: string[]; extensions: object }) => [error.path[0], error.extensions]),
    ).toEqual([
      ['stuck', { code: 'TIMEOUT', reason: 'timeout', requestId: expect.any(String) }],
      ['behind', { code: 'TIMEOUT', reason: 'timeout', requestId: expect.any(String) }],
    ]);
    const rows = await gateway.database.client.uOMCategory.findMany();
    expect(rows.map(({ categoryName }) => categoryName)).toEqual(['before']);
  });

  test('a write that is being committed is waited for, and its outcome is reported', async () => {
    await gateway.database.client.$executeRawUnsafe(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END'`,
    );
    await gateway.database.client.$executeRawUnsafe(
      'CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON "CustomsTariffNumber" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()',
    );
    const mutation = 'mutation { createCustomsTariffNumber(input: { tariffNumber: "2" }) { record { tariffNumber } } }';
    const [rest, graphql] = await Promise.all([
      gateway.rest('POST', '/api/stock/customs-tariff-number', { tariff_number: '1' }),
      gateway.graphql(mutation),
    ]);
    expect(rest.status).toBe(201);
    expect(graphql.body).toEqual({ data: { createCustomsTariffNumber: { record: { tariffNumber: '2' } } } });
    expect(await gateway.database.client.customsTariffNumber.count()).toBe(2);
  });

  test.each([
    ['a key that has been looked up', (full: TestGateway) => full.rest('POST', path, { industry: 'warm' })],
    ['a key that has to be looked up', undefined],
  ])(
    'a write with %s that waits for a connection is told in time, and does not begin when one comes free',
    async (which, warm) => {
      const full = await startGateway({ env: { DATABASE_URL: `${url}?connection_limit=1`, REQUEST_TIMEOUT: '1' } });
      onTestFinished(() => full.close());
      await warm?.(full);
      const done = gate();
      const held = gate();
      const holding = full.database.transaction(async () => {
        held.open();
        await done.opened;
      });
      await held.opened;
      const industry = `waiting with ${which}`;
      const answers = await Promise.all([full.rest('POST', path, { industry }), full.graphql(create, { industry })]);
      done.open();
      await holding;
      expect(answers.map(({ status }) => status)).toEqual([504, 504]);
      // Callers get the connection in turn, so earlier ones no longer wait.
      expect((await full.rest('POST', path, { industry: 'behind' })).status).toBe(201);
      expect(await gateway.database.client.industryType.count({ where: { industry } })).toBe(0);
    },
  );

  test('work has begun before it waits for a connection, and waits for any time with connect_timeout=0', async () => {
    const full = await openDatabase({ url: `${url}?connection_limit=1&connect_timeout=0`, migrate: false });
    onTestFinished(() => full.close());
    const [done, held] = [gate(), gate()];
    const holding = full.transaction(async () => {
      held.open();
      await done.opened;
    });
    await held.opened;
    let begun = 0;
    const working = full.perform(() => {
      begun++;
      return rows('SELECT 1', []);
    });
    await sleep(50);
    expect(begun).toBe(1);
    done.open();
    await holding;
    expect(await working).toEqual([[1]]);
  });

  test('a key that cannot be made in time is not made later', async () => {
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE "ApiKey" IN SHARE MODE');
    const answer = await gateway.graphql(
      'mutation { createApiKey(input: { name: "late", scopes: ["*"] }) { secret } }',
    );
    await holder.end();
    await sleep(300);
    expect(answer.status, answer.text).toBe(504);
    expect(await gateway.database.client.apiKey.count({ where: { name: 'late' } })).toBe(0);
  });

  test('a statement ends soon after the request it belongs to', async () => {
    const own = await startGateway({
      env: { DATABASE_URL: await freshDatabaseUrl('postgresql'), REQUEST_TIMEOUT: '0.7' },
    });
    const [row] = await own.database.client.$queryRaw<{ statement_timeout: string }[]>`SHOW statement_timeout`;
    await own.close();
    expect(row).toEqual({ statement_timeout: '1200ms' });
  });
});
