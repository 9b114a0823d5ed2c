/** Streams of one process tell of what another has written, on both databases. */
import { afterEach, describe, expect, test } from 'vitest';
import { createRepairs, upTo } from '../graphql/asset-repairs.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type Stream, watch } from './watch.js';

const changes = 'subscription ($after: Float) { changes(after: $after) { position notice recordId } }';

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

  test('a change reaches streams of its own process and of another at once: in 20 and 150 ms at most half of the times, on an idle machine', async () => {
    const { one, other } = await two();
    const [near, far] = [await open(one), await open(other)];
    const times: { near: number[]; far: number[] } = { near: [], far: [] };
    for (let round = 0; round < 31; round++) {
      await createRepairs(one, 1);
      const from = performance.now();
      const arrived = async (times: number[], stream: Stream) => {
        await stream.next();
        times.push(performance.now() - from);
      };
      await Promise.all([arrived(times.near, near.stream), arrived(times.far, far.stream)]);
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
    // Other tests run beside this one.
    expect(median(times.near)).toBeLessThan(20 * 5);
    expect(median(times.far)).toBeLessThan(150 * 5);
  });
});
