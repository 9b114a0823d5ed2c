/** Streams of one process send the changes of another process, on both databases. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createRepairs, upTo } from '../../graphql/asset-repairs.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { type Stream, watch } from './watch.js';

const changes = 'subscription ($after: String) { changes(after: $after) { position notice recordId } }';

describe.each(providers)('on %s', (database) => {
  const gateways: TestGateway[] = [];
  const streams: Stream[] = [];
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.stop();
    for (const gateway of gateways.splice(0)) await gateway.close();
  });
  const two = async () => {
    const env = { DATABASE_URL: await freshDatabaseUrl(database) };
    const [one, other] = [await startGateway({ database, env }), await startGateway({ database, env })];
    gateways.push(one, other);
    return { one, other };
  };
  const open = async (gateway: TestGateway, after?: number) => {
    const stream = watch(gateway, changes, after === undefined ? {} : { after });
    streams.push(stream);
    return { stream, start: (await stream.next()).position };
  };

  test('each gets the changes of both, all in the same order', async () => {
    const { one, other } = await two();
    const ends = [await open(one), await open(other)];
    await Promise.all(upTo(4).flatMap(() => [createRepairs(one, 10), createRepairs(other, 10)]));
    const told = await Promise.all(
      ends.map(async ({ stream }) => {
        const events = [];
        while (events.length < 80) events.push(await stream.next());
        return events;
      }),
    );
    expect(told[0]).toEqual(told[1]);
    const positions = told[0]?.map(({ position }) => position) ?? [];
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    expect(positions[0]).toBeGreaterThan(ends[0]?.start ?? 0);
  });

  // `npm run bench -- --live` measures how long it takes; this test only checks what it waits for.
  test('a change reaches streams of its own process without a look, and of another by a signal or by the next look', async () => {
    const looks = { one: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY };
    const numberings = { one: 0, other: 0 };
    const env = { DATABASE_URL: await freshDatabaseUrl(database) };
    const start = async (name: keyof typeof looks) => {
      const onStatement = (sql: string) => {
        if (sql.startsWith('DO $$')) numberings[name]++;
        if (isLook(sql) && looks[name]-- <= 0) throw new Error('No look is allowed');
      };
      const gateway = await startGateway({ database, env, onStatement });
      gateways.push(gateway);
      return gateway;
    };
    const [one, other] = [await start('one'), await start('other')];
    const [near, far] = [await open(one), await open(other)];
    looks.one = 0;
    for (let round = 0; round < 10; round++) {
      const [id] = await createRepairs(one, 1);
      expect(await near.stream.next()).toMatchObject({ recordId: id });
    }
    for (let round = 0; round < 10; round++) await far.stream.next();
    // Assigning positions is a commit too, which must not cause further commits for ever.
    await sleep(200);
    expect(numberings.one).toBeLessThan(40);

    looks.other = 0;
    if (database === 'postgresql') await untilHeard(one, far.stream);
    for (let round = 0; round < 10; round++) {
      const [id] = await createRepairs(one, 1);
      if (database === 'sqlite') looks.other = 1;
      expect(await far.stream.next()).toMatchObject({ recordId: id });
    }
  });
});

/** Whether a statement is one by which a process looks for commits of others. */
const isLook = (sql: string): boolean =>
  sql === 'PRAGMA data_version' || sql.includes('"position" IS NULL) FROM "JournalState"');

/** Resolves when a process signals its commits to another, which has heard of all of them. */
async function untilHeard(writer: TestGateway, stream: Stream): Promise<void> {
  let heard = stream.next();
  for (let written = 1; ; written++) {
    await createRepairs(writer, 1);
    const isHeard = await Promise.race([heard.then(() => true), sleep(300, false)]);
    if (!isHeard) continue;
    for (heard = stream.next(); --written > 0; heard = stream.next()) await heard;
    await createRepairs(writer, 1);
    await heard;
    return;
  }
}
