/** The blocks by which an offset is found: whatever comes, goes or is rolled back, each begins where it says. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { blockSize, margin } from '../../prisma/record-blocks/blocks.js';
import { resourceOf } from '../../src/model/resource.js';
import { type Chance, chanceOf } from '../compiled/random.js';
import { reckonedBlocks, tendBlocks } from '../support/blocks.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement } from '../support/many-records.js';

const category = resourceOf('UOMCategory');
const table = '"UOMCategory"';
const filled = 2 * (blockSize + margin);

async function gatewayWith(provider: 'sqlite' | 'postgresql', records: number): Promise<TestGateway> {
  const gateway = await startGateway({ database: provider });
  if (records > 0) await gateway.database.client.$executeRawUnsafe(fillStatement(provider, category, records));
  await tendBlocks(gateway.database, category);
  return gateway;
}

async function expectExact({ database }: TestGateway, after: string): Promise<number> {
  const blocks = await reckonedBlocks(database, category);
  expect([after, blocks.filter(({ reckoned, there }) => reckoned !== there)]).toEqual([after, []]);
  return blocks.length;
}

/** Copies records under ids that follow the old ones closely, or come behind all of them. */
const copies = (ids: string, which: string) =>
  `INSERT INTO ${table} ("id", "categoryName", "createdAt", "updatedAt")
    SELECT ${ids}, 'copy', "createdAt", "updatedAt" FROM ${table} ${which}`;

/** What a step does to a list of so many records; each `mark` makes other ids. */
const steps: Record<string, (chance: Chance, total: number, mark: string) => string> = {
  newest: ({ upTo }, _, mark) =>
    copies(`'u-o-m-category_z${mark}' || "id"`, `ORDER BY "id" LIMIT ${1 + upTo(blockSize / 4)}`),
  between: ({ upTo }, total, mark) =>
    copies(`"id" || '${mark}'`, `ORDER BY "id" LIMIT ${1 + upTo(blockSize / 4)} OFFSET ${upTo(total)}`),
  oldest: ({ upTo }, _, mark) => copies(`'!${mark}' || "id"`, `LIMIT ${1 + upTo(blockSize / 4)}`),
  gone: ({ upTo }, total) => deletion(`ORDER BY "id" LIMIT ${1 + upTo(blockSize / 4)} OFFSET ${upTo(total)}`),
  newestGone: ({ upTo }) => deletion(`ORDER BY "id" DESC LIMIT ${1 + upTo(blockSize / 4)}`),
  oldestGone: ({ upTo }) => deletion(`ORDER BY "id" LIMIT ${1 + upTo(blockSize / 4)}`),
  renamed: ({ upTo }, total, mark) =>
    `UPDATE ${table} SET "id" = 'u-o-m-category_0' || '${mark}' || substr("id", 10)
      WHERE "id" IN (SELECT "id" FROM ${table} ORDER BY "id" LIMIT 50 OFFSET ${upTo(total)})`,
};

const deletion = (which: string) => `DELETE FROM ${table} WHERE "id" IN (SELECT "id" FROM ${table} ${which})`;

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith(provider, filled);
  });
  afterAll(() => gateway.close());

  const countRecords = async () => (await gateway.database.client.uOMCategory.count()) as number;

  /** Pages by REST and GraphQL at an offset, and what stands there. */
  async function expectPage(offset: number, after: string) {
    const rows = await gateway.database.client.uOMCategory.findMany({
      select: { id: true },
      orderBy: { id: 'desc' },
      skip: offset,
      take: 3,
    });
    const ids = rows.map(({ id }) => id);
    const rest = await gateway.rest('GET', `${category.base}?offset=${offset}&limit=3`);
    const { body } = await gateway.graphql(`{ page: ${category.many}(first: 3, offset: ${offset}) { nodes { id } } }`);
    const shown = [rest.body.data, body.data.page.nodes].map((page: { id: string }[]) => page.map(({ id }) => id));
    expect([after, offset, ...shown]).toEqual([after, offset, ids, ids]);
  }

  test('every block begins where it says, and every page is right, after any change', async () => {
    expect(await expectExact(gateway, 'filling')).toBe(3);
    const chance = chanceOf(provider.length);
    for (let round = 0; round < 12; round++) {
      const total = await countRecords();
      const names = Object.keys(steps).filter((name) => total > blockSize || !name.includes('one'));
      const name = chance.pick(names);
      const sql = steps[name]?.(chance, total, `m${round}`) ?? '';
      const isUndone = chance.chance(0.2);
      const after = `round ${round}: ${name}${isUndone ? ', rolled back' : ''}`;
      const done = gateway.database.transaction(async (tx) => {
        await tx.$executeRawUnsafe(sql);
        if (isUndone) throw new Error('undone');
      });
      await (isUndone ? expect(done).rejects.toThrow('undone') : done);
      if (chance.chance(0.5)) await tendBlocks(gateway.database, category);

      await expectExact(gateway, after);
      const now = await countRecords();
      expect((await gateway.rest('GET', `${category.base}?limit=1`)).body.total).toBe(now);
      for (const offset of [chance.upTo(now), now - 1, now]) await expectPage(Math.max(0, offset), after);
    }
  }, 60_000);

  test('no block holds more than twice its size, wherever records come', async () => {
    const { client } = gateway.database;
    for (const which of ['a', 'b', 'c']) {
      await client.$executeRawUnsafe(copies(`"id" || '${which}'`, `ORDER BY "id" LIMIT ${blockSize}`));
      await tendBlocks(gateway.database, category);
    }
    const { _max } = await client.recordBlock.aggregate({ where: { model: category.model }, _max: { count: true } });
    expect(_max.count).toBeLessThan(2 * blockSize);
    await expectExact(gateway, 'three copies of the oldest');
  });

  test('of a table that was emptied nothing is left but the open block', async () => {
    const { client } = gateway.database;
    await client.$executeRawUnsafe(provider === 'sqlite' ? `DELETE FROM ${table}` : `TRUNCATE ${table} CASCADE`);
    await tendBlocks(gateway.database, category);
    const blocks = await client.recordBlock.findMany({ where: { model: category.model, count: { not: 0 } } });
    expect(blocks).toEqual([]);
    await expectExact(gateway, 'emptying');
    expect((await gateway.rest('GET', `${category.base}?offset=1`)).body).toMatchObject({ total: 0, data: [] });
  });
});

describe('on postgresql, among several writers', () => {
  async function clientOf({ config }: TestGateway): Promise<pg.Client> {
    const client = new pg.Client(config.databaseUrl);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  async function started(records: number): Promise<TestGateway> {
    const gateway = await gatewayWith('postgresql', records);
    onTestFinished(() => gateway.close());
    return gateway;
  }

  const insert = (id: string) =>
    `INSERT INTO ${table} ("id", "categoryName", "createdAt", "updatedAt") VALUES ('${id}', 'late', now(), now())`;

  test('a block is counted when all have ended that were writing before it was announced', async () => {
    const gateway = await started(0);
    const [early, late, reader] = [await clientOf(gateway), await clientOf(gateway), await clientOf(gateway)];
    await early.query('BEGIN');
    await early.query(insert('!1'));
    // Announces, by its size.
    await gateway.database.client.$executeRawUnsafe(fillStatement('postgresql', category, 2 * blockSize));
    const open = async () => {
      const { rows } = await reader.query(
        `SELECT count(*)::int AS n FROM "RecordBlock" WHERE "model" = 'UOMCategory' AND "announcedBy" IS NOT NULL`,
      );
      return rows[0].n;
    };
    expect(await open()).toBe(1);
    await late.query('BEGIN');
    await late.query(insert('!2'));
    await tendBlocks(gateway.database, category);
    await early.query(insert('!3'));
    await tendBlocks(gateway.database, category);
    expect(await open()).toBe(1);
    await early.query('COMMIT');
    await tendBlocks(gateway.database, category);
    expect(await open()).toBe(1);
    await late.query('COMMIT');
    await tendBlocks(gateway.database, category);
    expect(await open()).toBe(0);
    expect(await expectExact(gateway, 'late commits')).toBe(2);
  });

  test('inserts and deletions in one statement are tended when both are written down', async () => {
    const gateway = await started(filled);
    await gateway.database.client.$executeRawUnsafe(`WITH come AS (
        ${copies(`"id" || 'x'`, `ORDER BY "id" LIMIT ${blockSize}`)}
      ) ${deletion(`ORDER BY "id" LIMIT ${blockSize} OFFSET 100`)}`);
    await tendBlocks(gateway.database, category);
    await expectExact(gateway, 'both in one');
  });

  test('writers at the same time wait for no block, and leave all of them right', async () => {
    const gateway = await started(filled);
    const clients = await Promise.all(Array.from({ length: 4 }, () => clientOf(gateway)));
    await Promise.all(
      clients.map(async (client, number) => {
        const chance = chanceOf(number);
        for (let round = 0; round < 6; round++) {
          const mark = `n${number}r${round}`;
          await client.query('BEGIN');
          await client.query(
            copies(
              chance.chance(0.5) ? `'u-o-m-category_z${mark}' || "id"` : `"id" || '${mark}'`,
              `ORDER BY "id" LIMIT 3000 OFFSET ${chance.upTo(filled)}`,
            ),
          );
          // Each deletes what no other does: a record is waited for, as ever.
          await client.query(`DELETE FROM ${table} WHERE "id" LIKE '%${number}' AND random() < 0.05`);
          await client.query(chance.chance(0.2) ? 'ROLLBACK' : 'COMMIT');
          await client.query(`SELECT "gateway_block_tend"('UOMCategory')`);
        }
      }),
    );
    await expectExact(gateway, 'writing together');
    await tendBlocks(gateway.database, category);
    expect(await expectExact(gateway, 'tending')).toBeGreaterThan(3);
  }, 60_000);
});
