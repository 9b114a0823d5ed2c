import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runWrite } from '../../../src/change/perform.js';
import { createRecords, removeRecords } from '../../../src/change/writes/record.js';
import type { Provider } from '../../../src/database/migrations/migration-history.js';
import { type Database, openDatabase } from '../../../src/database/open-database.js';
import { everything } from '../../../src/query/condition.js';
import { delegate } from '../../../src/query/delegate.js';
import { countBySql } from '../../../src/query/list.js';
import { totalOf } from '../../../src/query/page.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';
import { resourceOf, resources } from '../../support/resources.js';
import { seenByAll } from '../../support/seen-by-all.js';
import { runs } from '../../support/thorough.js';
import { writer } from '../../support/writer.js';

const counted = resources.filter(({ kind }) => kind === 'resource');
const category = resourceOf('UOMCategory');
const repair = resourceOf('AssetRepair');
const idOnly = { select: { id: true } };

describe.each(providers)('totals on %s', (provider) => {
  test('equal count(*) after any sequence of creates, deletes, bulk deletes, cascades and rollbacks', async () => {
    const database = await open(await freshDatabaseUrl(provider));
    await steps.createWithLines(database, 3);
    await steps.createMany(database, 20);
    expect(await totals(database)).toMatchObject({ AssetRepair: 1, UOMCategory: 20 });

    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async (operations) => {
        for (const [run, size] of operations) await steps[run](database, size);
        expect(await totals(database)).toEqual(await counts(database));
      }),
      { numRuns: runs(4, 8) },
    );
  });

  test('equal count(*) after creates and deletes that run at the same time', async () => {
    const database = await open(await freshDatabaseUrl(provider));

    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [id = ''] = (await create(database)).ids;
        if (index % 3 === 0)
          await runWrite(writer(database), (writing) => removeRecords(writing, category, [{ id }], false));
      }),
    );

    expect(await totals(database)).toEqual(await counts(database));
    expect((await counts(database)).UOMCategory).toBe(40);
  });

  test('are kept by triggers for every listed record type of the catalogue', async () => {
    const database = await open(await freshDatabaseUrl(provider));

    const rows = await database.client.recordCount.findMany({ distinct: ['model'], orderBy: { model: 'asc' } });

    expect(rows.map(({ model }) => model)).toEqual(counted.map(({ model }) => model).sort());
    expect(await tablesWithTriggers(database)).toEqual(counted.map(({ model }) => model).sort());
  });

  test('count a bulk of records in one statement, and forget one that fails', async () => {
    const database = await open(await freshDatabaseUrl(provider));

    await createMany(database, 500);
    const twice = Array.from({ length: 2 }, () => categoryRow('twice'));
    await expect(database.client.uOMCategory.createMany({ data: twice })).rejects.toThrow();

    expect(await totalOf({ database: seenByAll(database) }, category, everything)).toBe(500);
  });
});

describe('on postgresql', () => {
  test('a statement is counted by one call of a trigger, however many records it creates or deletes', async () => {
    const { client } = await open(await freshDatabaseUrl('postgresql'));
    const callsOf = async (statement: string) => {
      const [explained] = await client.$queryRawUnsafe<{ 'QUERY PLAN': [{ Triggers: { Calls: number }[] }] }[]>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
      );
      return explained?.['QUERY PLAN'][0].Triggers.map(({ Calls }) => Calls);
    };

    expect(
      await callsOf(`INSERT INTO "UOMCategory" ("id", "categoryName", "createdAt", "updatedAt")
        SELECT 'row ' || n, 'bulk', now(), now() FROM generate_series(1, 100) AS n`),
    ).toEqual([1]);
    expect(await callsOf('DELETE FROM "UOMCategory"')).toEqual([1]);
  });

  test('a transaction that has created records keeps nobody from creating more', async () => {
    const database = await open(await freshDatabaseUrl('postgresql'));

    await database.transaction(async (tx) => {
      await tx.uOMCategory.create({ data: categoryRow('open') });
      // They would never return if they waited for the transaction in which they run.
      await Promise.all(Array.from({ length: 30 }, () => create(database)));
    });

    expect(await totals(database)).toEqual(await counts(database));
    expect(await totalOf({ database: seenByAll(database) }, category, everything)).toBe(31);
  });

  test('so do more open transactions than there are shards', async () => {
    const url = await freshDatabaseUrl('postgresql');
    const processes = await Promise.all([open(url), open(url), open(url)]);
    const holders = processes.flatMap((database) => Array.from({ length: 8 }, () => database));

    let created = 0;
    let everyoneHasCreated = () => {};
    const all = new Promise<void>((resolve) => {
      everyoneHasCreated = resolve;
    });
    await Promise.all(
      holders.map((database, index) =>
        database.transaction(async (tx) => {
          await tx.uOMCategory.create({ data: categoryRow(`holder ${index}`) });
          if (++created === holders.length) everyoneHasCreated();
          await all;
        }),
      ),
    );

    const [database] = processes;
    expect(await totals(database)).toEqual(await counts(database));
    expect(await totalOf({ database: seenByAll(database) }, category, everything)).toBe(holders.length);
  });
});

/** Changes of the set of records, each of a size from 1 to 20. */
const steps = {
  create: async (database: Database) => void (await create(database)),
  createWithLines: async (database: Database, size: number) => {
    const consumedItems = Array.from({ length: size }, () => ({ itemCode: 'bolt', warehouse: 'main' }));
    const input = { failureDate: '2026-01-31', asset: 'press', consumedItems };
    await runWrite(writer(database), (writing) => createRecords(writing, repair, [input], { isList: false }));
  },
  createMany: (database: Database, size: number) => createMany(database, size),
  deleteOne: async (database: Database) => {
    const newestFirst = { ...idOnly, orderBy: [{ id: 'desc' as const }], take: 1 };
    const [newest] = await delegate(database.client, repair).findMany(newestFirst);
    if (newest) await runWrite(writer(database), (writing) => removeRecords(writing, repair, [newest], false));
  },
  deleteMany: async (database: Database, size: number) => {
    const some = await database.client.uOMCategory.findMany({ ...idOnly, take: size });
    await database.client.uOMCategory.deleteMany({ where: { id: { in: some.map(({ id }) => id) } } });
  },
  deleteAll: async (database: Database) => {
    await database.client.assetRepair.deleteMany();
    await database.client.uOMCategory.deleteMany();
  },
  rolledBack: async (database: Database, size: number) => {
    const undone = database.transaction(async (tx) => {
      await tx.uOMCategory.createMany({ data: Array.from({ length: size }, () => categoryRow()) });
      await tx.assetRepair.deleteMany();
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
  },
  severalInOne: (database: Database, size: number) =>
    database.transaction(async (tx) => {
      for (let made = 0; made < size; made++) await tx.uOMCategory.create({ data: categoryRow() });
      await tx.uOMCategory.deleteMany({ where: { categoryName: 'bulk' } });
      await tx.uOMCategory.createMany({ data: [categoryRow()] });
    }),
};

const operation = fc.tuple(
  fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
  fc.integer({ min: 1, max: 20 }),
);

async function open(url: string): Promise<Database> {
  const database = await openDatabase({ url, migrate: false });
  onTestFinished(() => database.close());
  return database;
}

const create = (database: Database) =>
  runWrite(writer(database), (writing) =>
    createRecords(writing, category, [{ categoryName: 'one by one' }], { isList: false }),
  );

async function createMany(database: Database, size: number): Promise<void> {
  await database.client.uOMCategory.createMany({ data: Array.from({ length: size }, () => categoryRow()) });
}

let rows = 0;

function categoryRow(id = `row ${++rows}`) {
  const now = new Date();
  return { id, categoryName: 'bulk', createdAt: now, updatedAt: now };
}

/** The totals of the surfaces and the number of stored rows, by record type. */
const totals = (database: Database) =>
  byModel((resource) => totalOf({ database: seenByAll(database) }, resource, everything));
const counts = (database: Database) => byModel((resource) => countBySql(database.client, resource, everything));

async function byModel(number: (resource: (typeof counted)[number]) => Promise<number>) {
  return Object.fromEntries(
    await Promise.all(counted.map(async (resource) => [resource.model, await number(resource)] as const)),
  );
}

async function tablesWithTriggers({ client, provider }: Database): Promise<string[]> {
  const found = await client.$queryRawUnsafe<{ table: string; triggers: number }[]>(triggers[provider]);
  return found
    .filter((row) => Number(row.triggers) === 2)
    .map(({ table }) => table)
    .sort();
}

const triggers: Record<Provider, string> = {
  sqlite: `SELECT tbl_name AS "table", count(*) AS triggers FROM sqlite_master
    WHERE type = 'trigger' AND name GLOB 'gateway_count_*' GROUP BY tbl_name`,
  postgresql: `SELECT relname::text AS "table", count(*) AS triggers FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE tgname LIKE 'gateway_count_%' AND tgenabled = 'O' GROUP BY relname`,
};
