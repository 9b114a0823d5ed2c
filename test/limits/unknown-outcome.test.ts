/** The connection to PostgreSQL breaks during a commit: the answer must not say that nothing was changed. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.js';

const path = '/api/crm/industry-type';
const requestTimeout = 1;

let url: string;
let patched: string;
let holder: pg.Client;
/** Commits of industry types wait while `holder` has this lock. */
const takeLock = () => holder.query('SELECT pg_advisory_lock(7)');
const freeLock = () => holder.query('SELECT pg_advisory_unlock_all()');

beforeAll(async () => {
  url = await freshDatabaseUrl('postgresql');
  const gateway = await startGateway({ env: { DATABASE_URL: url } });
  patched = (await gateway.rest('POST', path, { industry: 'as it was' })).body.id;
  await gateway.close();
  holder = new pg.Client(url);
  await holder.connect();
  await holder.query(
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NULL; END'`,
  );
  await holder.query(
    `CREATE CONSTRAINT TRIGGER wait AFTER INSERT OR UPDATE OR DELETE ON "IndustryType"
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`,
  );
});
afterAll(() => holder.end());

const committing = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;

/**
 * How many commits wait for the lock. Not in a transaction, where PostgreSQL would keep showing the first snapshot.
 */
async function commits(): Promise<number> {
  await holder.query('SELECT pg_stat_clear_snapshot()');
  return (await holder.query(committing)).rows.length;
}

/**
 * Sends requests until one more commit waits for the lock, because on a busy machine the time of a request may be over
 * before. Returns a promise of the answer.
 */
async function sendToCommit(send: () => Promise<Answer>): Promise<{ answering: Promise<Answer> }> {
  const before = await commits();
  for (;;) {
    let answer: Answer | undefined;
    const answering = send().then((given) => {
      answer = given;
      return given;
    });
    while (!answer) {
      if ((await commits()) > before) return { answering };
      await sleep(20);
    }
    // The one before with the same Idempotency-Key may still be under way.
    expect(answer.body.error?.code ?? answer.body.errors?.[0].extensions.reason, answer.text).toMatch(
      /^(timeout|idempotency_key_in_use)$/,
    );
  }
}

const kept = async (industry: string): Promise<number> => {
  const { rows } = await holder.query('SELECT 1 FROM "IndustryType" WHERE "industry" = $1', [industry]);
  return rows.length;
};

const create = (industry: string) =>
  `mutation { createIndustryType(input: { industry: "${industry}" }) { record { id } } }`;

const keyedWay = 'a create with an Idempotency-Key, in a transaction of Prisma';
const withKey = (gateway: TestGateway, industry: string) =>
  gateway.rest('POST', path, { industry }, { 'Idempotency-Key': industry });

const ways: [string, (gateway: TestGateway, industry: string) => Promise<Answer>][] = [
  ['a create by REST, which is one statement', (gateway, industry) => gateway.rest('POST', path, { industry })],
  ['an update by REST', (gateway, industry) => gateway.rest('PATCH', `${path}/${patched}`, { industry })],
  [keyedWay, withKey],
  ['a create by GraphQL', (gateway, industry) => gateway.graphql(create(industry))],
];

/** `query_timeout` in milliseconds, which decides when a connection counts as silent. */
const faults: [string, number, (() => Promise<unknown>) | undefined][] = [
  [
    'is ended by the server',
    20_000,
    () => holder.query(`SELECT pg_terminate_backend(pid) FROM (${committing}) AS committing`),
  ],
  ['falls silent', 0, undefined],
];

describe.each(faults)('a connection that %s during the commit', (_, queryTimeout, breakIt) => {
  describe.each([
    ['inside', 0],
    ['after', 1300],
  ])('%s the time of the request', (moment, wait) => {
    let gateway: TestGateway;
    beforeAll(async () => {
      const limit = queryTimeout || 500 + wait;
      const DATABASE_URL = `${url}?query_timeout=${limit}`;
      gateway = await startGateway({ env: { DATABASE_URL, REQUEST_TIMEOUT: String(requestTimeout) } });
      await gateway.rest('GET', path);
    });
    afterAll(() => gateway.close());

    test('leaves every write with an unknown outcome', async () => {
      await takeLock();
      onTestFinished(async () => void (await freeLock()));
      const nameOf = (way: string) => `${way} ${moment} ${queryTimeout}`.replaceAll(/\W/g, '-');
      const sent: { industry: string; answering: Promise<Answer> }[] = [];
      for (const [way, send] of ways) {
        const industry = nameOf(way);
        sent.push({ industry, ...(await sendToCommit(() => send(gateway, industry))) });
      }
      if (breakIt) {
        await sleep(wait);
        await breakIt();
      }
      for (const { answering } of sent) {
        const { status, body, text } = await answering;
        const error = body.error ?? body.errors[0];
        expect([status, error.code ?? error.extensions.reason], text).toEqual(
          body.error ? [503, 'database_unavailable'] : [200, 'database_unavailable'],
        );
        expect(error.message).toMatch(/may or may not have been made.*Idempotency-Key/);
      }
      await freeLock();
      // The server did not notice the silence, and commits.
      if (!breakIt) for (const { industry } of sent) await expect.poll(() => kept(industry)).toBe(1);
      const again = await withKey(gateway, nameOf(keyedWay));
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, breakIt ? null : 'true']);
      expect(await kept(nameOf(keyedWay))).toBe(1);
    });
  });
});

test('an unknown outcome is reported even if the rest of the request takes too long', async () => {
  // Long enough to reach the commit on a busy machine too.
  const gateway = await startGateway({ env: { DATABASE_URL: url, REQUEST_TIMEOUT: '3' } });
  onTestFinished(() => gateway.close());
  const made = await gateway.graphql(
    'mutation { createUOMCategory(input: { categoryName: "early" }) { record { id } } }',
  );
  const category = made.body.data.createUOMCategory.record.id;
  await takeLock();
  onTestFinished(async () => void (await freeLock()));
  await holder.query('BEGIN; LOCK TABLE "UOMCategory" IN ACCESS EXCLUSIVE MODE');
  onTestFinished(async () => void (await holder.query('ROLLBACK')));
  const { answering } = await sendToCommit(() =>
    gateway.graphql(`mutation {
      broken: createIndustryType(input: { industry: "broken" }) { record { id } }
      late: updateUOMCategory(id: "${category}", input: { categoryName: "late" }) { record { id } }
    }`),
  );
  await holder.query(`SELECT pg_terminate_backend(pid) FROM (${committing}) AS committing`);
  await sleep(3500);
  await holder.query('COMMIT');
  await freeLock();
  const { status, body, text } = await answering;
  expect(status, text).toBe(200);
  expect(body.errors.map(({ extensions }: { extensions: { reason: string } }) => extensions.reason)).toEqual([
    'database_unavailable',
    'timeout',
  ]);
  const { rows } = await holder.query('SELECT "categoryName" FROM "UOMCategory"');
  expect(rows).toEqual([{ categoryName: 'early' }]);
});

test('a change that the server itself undid is reported as undone', async () => {
  const gateway = await startGateway({ env: { DATABASE_URL: `${url}?lock_timeout=400` } });
  onTestFinished(() => gateway.close());
  for (const [, send] of ways) {
    await takeLock();
    const { body, text } = await send(gateway, 'undone');
    await freeLock();
    const error = body.error ?? body.errors[0];
    expect(error.code ?? error.extensions.reason, text).toBe('busy');
    expect(await kept('undone')).toBe(0);
  }
});
