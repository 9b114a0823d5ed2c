import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { PrismaClient } from '../../src/generated/sqlite/client.js';
import { safeClient } from '../support/sqlite.js';
import { PrismaBetterSqlite3 } from '../support/stock-adapter.js';
import { runs } from '../support/thorough.js';

/** Our adapter and Prisma's own on one file: each has to read what the other writes. */
async function bothClients() {
  const { client: ours, path } = await safeClient();
  const stock = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${path}` }) });
  onTestFinished(() => stock.$disconnect());
  return { ours, stock };
}

// Whole numbers beyond 64 bits are a problem of Prisma, not of the adapter: see exact-number.test.ts. SQLite has no -0.
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (Number.isInteger(value) && Math.abs(value) > 2 ** 53 ? value / 2 ** 1000 : value) + 0);

const record = fc.record({
  failureDate: fc.string({ unit: 'grapheme', minLength: 0, maxLength: 30 }),
  asset: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
  description: fc.option(fc.string({ unit: 'grapheme', maxLength: 30 })),
  repairCost: fc.oneof(double, fc.integer(), fc.constantFrom(0, 2 ** 53, 0.1, 5e-324)),
  totalRepairCost: fc.option(double),
  increaseInAssetLife: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  capitalizeRepairCost: fc.boolean(),
  createdAt: fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
});

test("values go in and come out the same, through ours and across to Prisma's own adapter", async () => {
  const { ours, stock } = await bothClients();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(record, async (values) => {
      const data = { ...values, updatedAt: values.createdAt };
      const [a, b] = [`a${++count}`, `b${count}`];
      const written = await ours.assetRepair.create({ data: { ...data, id: a } });
      expect(written).toMatchObject(data);
      await stock.assetRepair.create({ data: { ...data, id: b } });
      for (const client of [ours, stock]) {
        const read = await client.assetRepair.findMany({ where: { id: { in: [a, b] } }, orderBy: { id: 'asc' } });
        expect(read).toEqual([
          { ...written, id: a },
          { ...written, id: b },
        ]);
      }
    }),
    { numRuns: runs(30, 100) },
  );
});

test('moments are found by comparison, whoever wrote them', async () => {
  const { ours, stock } = await bothClients();
  const at = (text: string) => ({ failureDate: 'd', asset: 'a', createdAt: new Date(text), updatedAt: new Date(text) });
  await ours.assetRepair.create({ data: { id: 'early', ...at('2026-01-31T09:30:00.001Z') } });
  await stock.assetRepair.create({ data: { id: 'late', ...at('2026-01-31T10:30:00.000+00:30') } });
  for (const client of [ours, stock]) {
    const after = { createdAt: { gt: new Date('2026-01-31T09:45:00Z') } };
    expect(await client.assetRepair.findMany({ where: after, select: { id: true } })).toEqual([{ id: 'late' }]);
  }
});

test.each([
  'SELECT 9007199254740993 AS large, -9007199254740993 AS small, 5 AS five, 1.5 AS fraction, 2.0 AS whole',
  "SELECT 'text' AS text, NULL AS missing, '' AS empty",
  'SELECT count(*) AS count, sum("version") AS sum, avg("version") AS average FROM "AssetRepair"',
  'SELECT "version", "repairCost", "capitalizeRepairCost", "createdAt", count(*) AS count FROM "AssetRepair"',
  'SELECT * FROM "AssetRepair" WHERE 1 = 0',
])("a raw query answers as through Prisma's own adapter: %s", async (sql) => {
  const { ours, stock } = await bothClients();
  const now = new Date();
  const data = {
    failureDate: 'd',
    asset: 'a',
    repairCost: 2,
    capitalizeRepairCost: true,
    createdAt: now,
    updatedAt: now,
  };
  await ours.assetRepair.createMany({ data: [1, 2, 4].map((version) => ({ ...data, version, id: `${version}` })) });
  expect(await ours.$queryRawUnsafe(sql)).toEqual(await stock.$queryRawUnsafe(sql));
});

test('bytes come out as they went in', async () => {
  const { ours } = await safeClient().then(({ client }) => ({ ours: client }));
  const [row] = await ours.$queryRaw<{ bytes: Uint8Array }[]>`SELECT ${new Uint8Array([0, 255, 1])} AS bytes`;
  expect([...(row?.bytes ?? [])]).toEqual([0, 255, 1]);
});

test('a list may ask for more ids than SQLite once allowed in one statement', async () => {
  const { client } = await safeClient();
  const ids = Array.from({ length: 5000 }, (_, i) => `id ${i}`);
  await client.apiKey.create({ data: { id: 'id 4321', name: 'n', hash: 'h', createdAt: new Date() } });
  expect(await client.apiKey.count({ where: { id: { in: ids } } })).toBe(1);
});

test.each([
  ['a missing table', 'SELECT * FROM absent', 'no such table: absent'],
  ['a missing column', 'SELECT absent', 'no such column: absent'],
  ['two statements', 'SELECT 1; SELECT 2', 'more than one statement'],
  ['bad syntax', 'SELEKT 1', 'syntax error'],
  ['a missing value', 'SELECT ?', 'Too few parameter values'],
])('%s is an error that says so', async (_, sql, message) => {
  const { client } = await safeClient();
  await expect(client.$queryRawUnsafe(sql)).rejects.toThrow(message);
  await expect(client.$executeRawUnsafe(sql)).rejects.toThrow(message);
});
