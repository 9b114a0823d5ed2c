/** The blocks that find offsets: after any creates, deletes and rollbacks, each block begins where it says. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { blockSize, margin } from '../../prisma/record-blocks/blocks.js';
import { mostFolded } from '../../prisma/record-blocks/postgresql-tend.js';
import { type Chance, chanceOf } from '../compiled/random.js';
import { reckonedBlocks, tendBlocks } from '../support/blocks.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';

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

/** Copies records under ids that directly follow the old ones, or are above all of them. */
const copies = (ids: string, which: string) =>
  `INSERT INTO ${table} ("id", "categoryName", "createdAt", "updatedAt")
    SELECT ${ids}, 'copy', "createdAt", "updatedAt" FROM ${table} ${which}`;

/** A step on a list of `count` records; each `mark` makes other ids. */
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

  /** Pages by REST and GraphQL at an offset, and the expected records. */
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

  test('a table that was emptied has only the open block', async () => {
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

  async function countRows(client: pg.Client, of: string, which = ''): Promise<number> {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM "${of}" WHERE "model" = 'UOMCategory' ${which}`,
    );
    return rows[0].n;
  }

  /** Two connections whose counts go to different rows, so that the snapshot of one does not exclude the other. */
  async function twoShards(gateway: TestGateway): Promise<[pg.Client, pg.Client]> {
    const shardOf = async (client: pg.Client) =>
      (await client.query('SELECT pg_backend_pid() % 16 AS shard')).rows[0].shard;
    const one = await clientOf(gateway);
    for (;;) {
      const other = await clientOf(gateway);
      if ((await shardOf(one)) !== (await shardOf(other))) return [one, other];
    }
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
    const open = () => countRows(reader, 'RecordBlock', 'AND "announcedBy" IS NOT NULL');
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

  test.each(['REPEATABLE READ', 'SERIALIZABLE'])(
    'a %s transaction that is older than a block leaves it right',
    async (level) => {
      const gateway = await started(0);
      const [current, old] = await twoShards(gateway);
      await current.query(fillStatement('postgresql', category, blockSize));
      await old.query(`BEGIN ISOLATION LEVEL ${level}`);
      await old.query(`SELECT 1 FROM ${table} LIMIT 1`);
      await current.query(copies(`'u-o-m-category_z' || "id"`, `LIMIT ${2 * margin}`));
      await tendBlocks(gateway.database, category);
      expect(await expectExact(gateway, 'before the old transaction writes')).toBe(2);

      await old.query(deletion('ORDER BY "id" LIMIT 3'));
      await old.query(deletion('ORDER BY "id" DESC LIMIT 1'));
      await old.query(insert('!1'));
      await old.query(insert('u-o-m-category_zz'));
      await old.query(`UPDATE ${table} SET "id" = 'u-o-m-category_zzz' WHERE "id" = '!1'`);
      await old.query('COMMIT');
      await expectExact(gateway, 'after its commit');
      const total = blockSize + 2 * margin - 2;
      const { body } = await gateway.rest('GET', `${category.base}?offset=${total - 1}&limit=3`);
      const { rows } = await current.query(`SELECT min("id") AS id FROM ${table}`);
      expect(body).toMatchObject({ total, data: rows });
      await tendBlocks(gateway.database, category);
      expect(await countRows(current, 'RecordBlockChange')).toBe(0);
      await expectExact(gateway, 'after its changes are in the counts');
    },
  );

  test('a commit adds up only so many changes of others, and all of its own', async () => {
    const gateway = await started(filled);
    const [client, other] = await twoShards(gateway);
    const pending = () => countRows(client, 'RecordBlockChange');
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await other.query(deletion(`ORDER BY "id" LIMIT ${2 * mostFolded + 500}`));
    await other.query('COMMIT');
    expect(await pending()).toBe(2 * mostFolded + 500);
    await client.query(`SELECT "gateway_block_tend"('UOMCategory')`);
    expect(await pending()).toBe(mostFolded + 500);
    await expectExact(gateway, 'a part is added');
    await client.query(copies(`'!' || "id"`, `ORDER BY "id" LIMIT 2000`));
    expect(await pending()).toBe(500);
    await expectExact(gateway, 'another part and its own');
    await tendBlocks(gateway.database, category);
    expect(await pending()).toBe(0);
    await expectExact(gateway, 'all are added');
  });

  test('no block is split if the database does not show all writers', async () => {
    const gateway = await started(0);
    const [early, blind, reader] = [await clientOf(gateway), await clientOf(gateway), await clientOf(gateway)];
    // An engine whose list of locks omits recent locks.
    await blind.query(`CREATE SCHEMA "young"`);
    await blind.query(`CREATE VIEW "young".pg_locks AS SELECT * FROM pg_catalog.pg_locks WHERE false`);
    await blind.query(`SET search_path = "young", pg_catalog, public`);
    await early.query('BEGIN');
    await early.query(insert('!1'));
    await gateway.database.client.$executeRawUnsafe(fillStatement('postgresql', category, 2 * blockSize));
    for (const _ of 'abc') await blind.query(`SELECT "gateway_block_tend"('UOMCategory')`);
    await early.query(insert('!2'));
    await early.query('COMMIT');
    await expectExact(gateway, 'late commits');
    expect(await countRows(reader, 'RecordBlock', 'AND "announcedBy" IS NULL')).toBe(1);
    await tendBlocks(gateway.database, category);
    expect(await expectExact(gateway, 'all are told')).toBe(2);
    // Without them, a block is not even announced.
    await early.query(copies(`'u-o-m-category_z' || "id"`, `LIMIT ${margin - 1}`));
    await blind.query(copies(`'u-o-m-category_zz' || "id"`, `LIMIT ${blockSize}`));
    expect(await countRows(reader, 'RecordBlock')).toBe(2);
  });

  test('blocks are maintained after inserts and deletions in one statement', async () => {
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
          const isRolledBack = chance.chance(0.2);
          await client.query(number === 0 ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN');
          try {
            await client.query(
              copies(
                chance.chance(0.5) ? `'u-o-m-category_z${mark}' || "id"` : `"id" || '${mark}'`,
                `ORDER BY "id" LIMIT 3000 OFFSET ${chance.upTo(filled)}`,
              ),
            );
            // Each deletes other records, because two deletes of one record wait for each other.
            await client.query(`DELETE FROM ${table} WHERE "id" LIKE '%${number}' AND random() < 0.05`);
            await client.query(isRolledBack ? 'ROLLBACK' : 'COMMIT');
          } catch (error) {
            // Another transaction has changed the same row since the snapshot of this one.
            expect([number, error]).toMatchObject([0, { code: '40001' }]);
            await client.query('ROLLBACK');
          }
          await client.query(`SELECT "gateway_block_tend"('UOMCategory')`);
        }
      }),
    );
    await expectExact(gateway, 'writing together');
    await tendBlocks(gateway.database, category);
    expect(await expectExact(gateway, 'tending')).toBeGreaterThan(3);
  }, 60_000);
});
