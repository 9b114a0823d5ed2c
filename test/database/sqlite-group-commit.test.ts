import { expect, test } from 'vitest';
import { databaseProblem, retry } from '../../src/database/database-problem.js';
import { apiKey, commitsInLog, safeClient } from '../support/sqlite.js';
import { Sqlite } from '../support/sqlite-library.js';

test('a commit syncs the log before it is answered', async () => {
  const { client } = await safeClient();
  const settings = await client.$transaction(async (tx) => [
    await tx.$queryRaw`PRAGMA journal_mode`,
    await tx.$queryRaw`PRAGMA synchronous`,
  ]);
  expect(settings).toEqual([[{ journal_mode: 'wal' }], [{ synchronous: 2n }]]);
});

test('writes that wait together share a commit', async () => {
  const { client, path } = await safeClient();
  await client.apiKey.create({ data: apiKey('first') });
  const before = commitsInLog(path);
  await Promise.all(Array.from({ length: 50 }, (_, i) => client.apiKey.create({ data: apiKey(`${i}`) })));
  expect(await client.apiKey.count()).toBe(51);
  expect(commitsInLog(path) - before).toBeLessThanOrEqual(5);
});

test('transactions that wait together share a commit', async () => {
  // However slow the machine is, the group stays open for all of them.
  const { client, path } = await safeClient({ groupMillis: 60_000 });
  await client.apiKey.create({ data: apiKey('first') });
  const before = commitsInLog(path);
  const create = (id: string) => client.$transaction((tx) => tx.apiKey.create({ data: apiKey(id) }));
  await Promise.all(Array.from({ length: 50 }, (_, i) => create(`${i}`)));
  expect(await client.apiKey.count()).toBe(51);
  expect(commitsInLog(path) - before).toBeLessThan(25);
});

test('no more than the limit share a commit', async () => {
  const { client, path } = await safeClient({ groupUnits: 10 });
  await client.apiKey.create({ data: apiKey('first') });
  const before = commitsInLog(path);
  await Promise.all(Array.from({ length: 50 }, (_, i) => client.apiKey.create({ data: apiKey(`${i}`) })));
  expect(commitsInLog(path) - before).toBeGreaterThanOrEqual(5);
});

test('a write is answered when another process can see it, not before', async () => {
  const { client, path } = await safeClient();
  const other = new Sqlite(path, { readonly: true });
  const find = other.prepare('SELECT 1 FROM "ApiKey" WHERE id = ?');
  const seen = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      if (i % 2) await client.apiKey.create({ data: apiKey(`${i}`) });
      else await client.$transaction((tx) => tx.apiKey.create({ data: apiKey(`${i}`) }));
      return find.get(`${i}`) !== undefined;
    }),
  );
  other.close();
  expect(seen).toEqual(seen.map(() => true));
});

test('a write that is refused affects no other write of its group', async () => {
  const { client } = await safeClient();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) => client.apiKey.create({ data: apiKey(i % 3 === 0 ? 'same' : `${i}`) })),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(9);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'P2002' });
  expect(await client.apiKey.count()).toBe(21);
});

test('a transaction that rolls back affects no other write of its group', async () => {
  const { client } = await safeClient();
  const write = (id: string, fails: boolean) =>
    client.$transaction(async (tx) => {
      await tx.apiKey.create({ data: apiKey(id) });
      await tx.apiKey.create({ data: apiKey(`${id} too`) });
      if (fails) throw new Error('on purpose');
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => write(`${i}`, i % 3 === 0)));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  expect(await client.apiKey.count()).toBe(40);
});

/** A transaction that SQLite refuses only at its commit: its child has no parent. */
const orphan = (client: Awaited<ReturnType<typeof safeClient>>['client']) =>
  client.$transaction(async (tx) => {
    await tx.$executeRawUnsafe('PRAGMA defer_foreign_keys = ON');
    const line = { id: 'orphan', idx: 1, assetRepairId: 'nobody', itemCode: 'a', warehouse: 'b' };
    await tx.assetRepairConsumedItem.create({ data: line });
  });

test('a commit that fails fails its own transaction, and leaves nothing of it', async () => {
  const { client } = await safeClient();
  await expect(orphan(client)).rejects.toMatchObject({ cause: { kind: 'ForeignKeyConstraintViolation' } });
  expect(await client.assetRepairConsumedItem.count()).toBe(0);
  await client.apiKey.create({ data: apiKey('after') });
  expect(await client.apiKey.count()).toBe(1);
});

test('a commit that fails affects no other write of its group', async () => {
  const { client } = await safeClient();
  const culprit = retry(() => orphan(client)).catch((error: unknown) => error);
  const creates = Array.from({ length: 20 }, (_, i) => client.apiKey.create({ data: apiKey(`single ${i}`) }));
  const transactions = Array.from({ length: 20 }, (_, i) =>
    retry(() => client.$transaction((tx) => tx.apiKey.create({ data: apiKey(`transaction ${i}`) }))),
  );
  await Promise.all([...creates, ...transactions]);
  expect(await culprit).toMatchObject({ cause: { kind: 'ForeignKeyConstraintViolation' } });
  expect(await client.apiKey.count()).toBe(40);
  expect(await client.assetRepairConsumedItem.count()).toBe(0);
});

test('a statement that makes the shared commit fail is found and fails alone', async () => {
  const { client } = await safeClient();
  const line = { id: 'orphan', idx: 1, assetRepairId: 'nobody', itemCode: 'a', warehouse: 'b' };
  const [, orphaned, ...others] = await Promise.allSettled([
    client.$executeRawUnsafe('PRAGMA defer_foreign_keys = ON'),
    client.assetRepairConsumedItem.create({ data: line }),
    ...Array.from({ length: 10 }, (_, i) => client.apiKey.create({ data: apiKey(`${i}`) })),
  ]);
  expect(orphaned).toMatchObject({ status: 'rejected', reason: { code: 'P2003' } });
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'));
  expect(await client.apiKey.count()).toBe(10);
});

test('on a full disk writes that do not fit are refused, others are kept, and service resumes when there is room', async () => {
  const { client } = await safeClient();
  await client.apiKey.create({ data: apiKey('room for one more') });
  await client.$executeRawUnsafe('DELETE FROM "ApiKey"');
  // The page limit is what SQLite has for a full disk: it fails with the same SQLITE_FULL.
  const [{ page_count: pages } = { page_count: 0n }] = await client.$queryRaw<
    { page_count: bigint }[]
  >`PRAGMA page_count`;
  await client.$transaction((tx) => tx.$queryRawUnsafe(`PRAGMA max_page_count = ${pages}`));
  const large = client.apiKey.create({ data: { ...apiKey('large'), name: 'x'.repeat(100_000) } });
  const small = Array.from({ length: 5 }, (_, i) => client.apiKey.create({ data: apiKey(`small ${i}`) }));
  const refusal = await large.catch((error: unknown) => error);
  expect(databaseProblem(refusal)).toBe('storage_full');
  await Promise.all(small);
  expect(await client.apiKey.count()).toBe(5);
  await client.$transaction((tx) => tx.$queryRawUnsafe(`PRAGMA max_page_count = ${pages + 1000n}`));
  await client.apiKey.create({ data: { ...apiKey('large'), name: 'x'.repeat(100_000) } });
});
