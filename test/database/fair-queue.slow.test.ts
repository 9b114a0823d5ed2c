/** Keys take turns for connections and readers, and so do the requests of a key: no key waits for all requests of another. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Caller } from '../../src/database/direct-access.js';
import { FairQueue, type TurnLimits } from '../../src/database/queues.js';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { SqliteReaderPool } from '../../src/database/sqlite/reader-pool.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

const queueOf = (limits: Partial<TurnLimits>) =>
  new FairQueue(
    { atOnce: 1, perCaller: 1, waiting: 100, ...limits },
    { busy: () => new Error('busy'), over: () => new Error('over') },
  );

/** A request of a key; `end` ends its time. */
function request(keyId: string | undefined): Caller & { end(): void } {
  const stops = new Set<() => void>();
  let isOver = false;
  return {
    keyId,
    get isOver() {
      return isOver;
    },
    whenOver: (stop) => {
      stops.add(stop);
      return () => stops.delete(stop);
    },
    end: () => {
      isOver = true;
      for (const stop of stops) stop();
    },
  };
}

describe('a fair queue', () => {
  /** Work of requests named after their keys, such as `a1`, which notes its name when it begins and ends when it is told to. */
  function works(limits: Partial<TurnLimits>) {
    const queue = queueOf(limits);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const callers = new Map<string, ReturnType<typeof request>>();
    const ask = (name: string, caller = request(name[0])) => {
      callers.set(name, caller);
      const done = new Promise<void>((end) => ends.set(name, end));
      const begin = () => {
        begun.push(name);
        return done;
      };
      const answer = queue.take(caller, begin);
      answer.catch(() => undefined);
      return answer;
    };
    const end = async (name: string) => {
      ends.get(name)?.();
      await sleep(0);
    };
    return { queue, begun, ask, end, callerOf: (name: string) => callers.get(name) };
  }

  test('lets keys take turns, and the requests of a key among themselves', async () => {
    const { begun, ask, end, callerOf } = works({});
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) ask(name);
    ask('a1 again', callerOf('a1'));
    ask('b1 again', callerOf('b1'));
    await sleep(0);
    for (let place = 0; place < 7; place++) await end(begun[place] ?? '');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b1 again', 'a1 again']);
  });

  test('leaves something to other keys, and gives it to no key that has as much as it may', async () => {
    const { begun, ask, end } = works({ atOnce: 3, perKey: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) ask(name);
    await sleep(0);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(begun.slice(3)).toEqual(['b2']);
    await end('a1');
    await end('a2');
    expect(begun.slice(4)).toEqual(['c1', 'a3']);
  });

  test('refuses what has waited too long for a turn, also behind other requests of its key', async () => {
    const { queue, begun, ask, end } = works({ atOnce: 2, perKey: 1, waitMillis: 40 });
    ask('a1');
    const waiting = [ask('a2'), ask('a3')];
    expect(queue.waiting).toBe(2);
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(queue.waiting).toBe(0);
    await end('a1');
    ask('a4');
    await sleep(0);
    expect(begun).toEqual(['a1', 'a4']);
  });

  test('drops what waits when the time of its request is over, and begins what comes after', async () => {
    const { begun, ask, end, callerOf } = works({});
    ask('a1');
    const dropped = ask('a2');
    ask('b1');
    callerOf('a2')?.end();
    await expect(dropped).rejects.toThrow('over');
    await end('a1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  test('begins nothing of a request whose time is over, and nothing for it later', async () => {
    const { begun, ask, end } = works({});
    const over = request('a');
    over.end();
    await expect(ask('a1', over)).rejects.toThrow('over');
    ask('b1');
    await expect(ask('a2', over)).rejects.toThrow('over');
    await end('b1');
    expect(begun).toEqual(['b1']);
  });

  test('goes on behind work that ends at once, or throws: thousands of them, one after the other', async () => {
    const queue = queueOf({ perKey: 1, waiting: 10_000 });
    const release = await queue.turn(undefined);
    const outcomes: string[] = [];
    const works = Array.from({ length: 5000 }, async (_, index) => {
      if (index % 2) {
        const begin = () => {
          throw new Error('on purpose');
        };
        return queue.take(request(`${index % 7}`), begin).catch(({ message }) => void outcomes.push(message));
      }
      const end = await queue.turn(request(`${index % 7}`));
      end();
      end();
      outcomes.push('ended');
    });
    release();
    await Promise.all(works);
    expect(outcomes.filter((each) => each === 'ended')).toHaveLength(2500);
    expect(outcomes.filter((each) => each === 'on purpose')).toHaveLength(2500);
    expect(queue.waiting).toBe(0);
    await queue.take(undefined, async () => undefined);
  });

  test('refuses a request beyond the longest queue, also of one key alone', async () => {
    const { queue, ask } = works({ atOnce: 2, perKey: 1, waiting: 5 });
    const answers = Array.from({ length: 20 }, (_, index) => ask(`a${index}`).catch(({ message }) => message));
    expect(queue.waiting).toBe(5);
    expect(await Promise.race(answers)).toBe('busy');
    expect(await queue.take(request('b'), async () => 'begun')).toBe('begun');
  });

  test('forgets who has nothing to do', async () => {
    const { queue, ask, end } = works({ atOnce: 1, waiting: 1 });
    for (let round = 0; round < 3; round++) {
      const answer = ask('a1');
      ask('a2');
      await expect(ask('b1')).rejects.toThrow('busy');
      await end('a1');
      await answer;
      await end('a2');
      expect(queue.waiting).toBe(0);
    }
  });
});

test('on sqlite one long read of another key is before that of a key, not all', async () => {
  const pool = new SqliteReaderPool(sqlitePath(await freshDatabaseUrl('sqlite')), {
    readerProgram: join(inject('testRun').built, 'src/database/sqlite/reader-process.js'),
    // One reader for each key, on any machine.
    processes: 4,
  });
  onTestFinished(() => pool.close());
  const counted = (to: number) =>
    `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT ${to}) SELECT count(*) FROM c`;
  const ended: string[] = [];
  const read = (keyId: string, sql: string) =>
    pool.rows(sql, [], request(keyId)).then(
      () => void ended.push(keyId),
      () => void ended.push(`${keyId} failed`),
    );
  const many = Array.from({ length: 8 }, () => read('many', counted(1_000_000)));
  await read('one', counted(1_000));
  // A reader is started for it meanwhile.
  expect(ended.filter((key) => key === 'many').length).toBeLessThan(7);
  await Promise.all(many);
  // Also one that does not end: it is killed with the pool.
  void read('endless', counted(-1));
  await read('one', counted(1_000));
  expect(ended.at(-1)).toBe('one');
});

test.each([
  ['compiled', true],
  ['by the resolvers', false],
])('on postgresql a key whose reads wait for a lock leaves a connection to other keys, %s', async (_way, compiled) => {
  const gateway = await startGateway({ database: 'postgresql', compiled });
  onTestFinished(() => gateway.close());
  const [holder, watcher] = [new pg.Client(gateway.config.databaseUrl), new pg.Client(gateway.config.databaseUrl)];
  for (const client of [holder, watcher]) {
    await client.connect();
    onTestFinished(() => client.end());
  }
  const { body } = await gateway.graphql(
    'mutation { createApiKey(input: { name: "other", scopes: ["*"] }) { secret } }',
  );
  const other = { authorization: `Bearer ${body.data.createApiKey.secret}` };
  const read = '{ assetRepairs(where: { description: { contains: "x" } }) { nodes { id } } }';
  const write = (industry: string, headers = {}) =>
    gateway.rest('POST', '/api/crm/industry-type', { industry }, headers);
  await Promise.all([gateway.graphql(read), write('of the one'), write('of the other', other)]);

  await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
  const reads = Array.from({ length: 30 }, () => gateway.graphql(read));
  const waiting = `SELECT count(*)::int AS "count" FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await watcher.query(waiting)).rows[0].count).toBe(7);
  const writes = Array.from({ length: 5 }, (_, index) => write(`new ${index}`, other));
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  await holder.query('COMMIT');
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200));
});
