/** How often streams read: a record once for all that select the same, and each key as often as any other. */
import { afterEach, describe, expect, test } from 'vitest';
import { byteTurns, ReadTurns } from '../../../src/features/live/read-record.js';
import { createRepair, createRepairs, upTo } from '../../graphql/asset-repairs.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { type Stream, watch } from './watch.js';

const query = `subscription ($id: ID, $after: String) {
  assetRepairChanged(id: $id, after: $after) { position version record { ... on AssetRepair { asset consumedItems { itemCode } } } } }`;

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  const gateways: TestGateway[] = [];
  const streams: Stream[] = [];
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.stop();
    for (const gateway of gateways.splice(0)) await gateway.close();
  });
  const start = async () => {
    const gateway = await startGateway({ database });
    gateways.push(gateway);
    return gateway;
  };
  const open = async (gateway: TestGateway, variables: Record<string, unknown>) => {
    const stream = watch(gateway, query, variables);
    streams.push(stream);
    return { stream, position: (await stream.next()).position };
  };
  /** The statements since `from` that read lines, as only the record of an event does here. */
  const reads = ({ statements }: TestGateway, from: number) =>
    statements.slice(from).filter((sql) => /^\s*SELECT/i.test(sql) && sql.includes('"AssetRepairConsumedItem"')).length;

  test('one change is read once, however many subscribers it has', async () => {
    const gateway = await start();
    const { id } = await createRepair(gateway);
    const many = await Promise.all(upTo(60).map(() => open(gateway, { id })));
    for (const round of upTo(3)) {
      const from = gateway.statements.length;
      await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: `${round}` });
      const told = await Promise.all(many.map(({ stream }) => stream.next()));
      for (const event of told) expect(event).toMatchObject({ version: round + 1, record: { asset: `${round}` } });
      expect(reads(gateway, from)).toBe(1);
    }
  });

  test('for a stream that catches up, a record that changed often is read once, and others one by one', async () => {
    const gateway = await start();
    const { id } = await createRepair(gateway);
    const { position, stream } = await open(gateway, { id: 'another' });
    stream.stop();
    for (const asset of upTo(80)) await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: `${asset}` });
    const from = gateway.statements.length;
    const late = await open(gateway, { id, after: position });
    for (const number of upTo(80)) {
      expect(await late.stream.next()).toMatchObject({ version: number + 1, record: { asset: '80' } });
    }
    // Once for each batch, and the last change may be one by itself.
    expect(reads(gateway, from)).toBeLessThan(4);
    const before = (await open(gateway, {})).position;
    await createRepairs(gateway, 40);
    const all = await open(gateway, { after: before });
    const positions = [];
    while (positions.length < 40) positions.push((await all.stream.next()).position);
    expect(positions).toEqual((await gateway.journal.read(before, 100)).entries.map(({ position }) => position));
  });
});

test('large records are read one at a time, and small ones together', async () => {
  const turns = new ReadTurns();
  let reading = 0;
  const mostOf = async (size: number) => {
    let most = 0;
    const read = async () => {
      most = Math.max(most, ++reading);
      await new Promise(setImmediate);
      reading--;
    };
    await Promise.all(upTo(40).map(() => turns.take('key', read, () => size)));
    return most;
  };
  await mostOf(1_000);
  expect(await mostOf(1_000)).toBe(8);
  await mostOf(1_000_000);
  expect(await mostOf(1_000_000)).toBe(1);
});

test('a key with a thousand streams does not delay another one', async () => {
  const turns = new ReadTurns();
  const order: string[] = [];
  const read = (key: string) =>
    turns.take(
      key,
      async () => {
        await new Promise(setImmediate);
        order.push(key);
      },
      () => 100,
    );
  const busy = upTo(1_000).map(() => read('busy'));
  await read('other');
  const [first, second] = [order.length, read('other')];
  await second;
  expect(first).toBeLessThan(50);
  expect(order.length).toBeLessThan(100);
  await Promise.all(busy);
  expect(order.filter((key) => key === 'busy')).toHaveLength(1_000);
});

test('no more large records are read than others have turns to copy: what was read would wait in memory', async () => {
  const turns = new ReadTurns();
  const bytes = 4 * 1024 * 1024;
  let held = 0;
  let most = 0;
  const event = async () => {
    // As slowly as another process answers.
    const read = async () => void (await new Promise((resolve) => setImmediate(resolve)));
    await turns.take('a key', read, () => bytes);
    most = Math.max(most, ++held);
    // Once for the event that is made of it, and once for the connection that gets it.
    await byteTurns.take(bytes);
    await byteTurns.take(bytes);
    held--;
  };
  await Promise.all(Array.from({ length: 60 }, event));
  expect(most).toBeLessThan(10);
});
