import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '../../src/generated/sqlite/client.js';
import { apiKey, gate, safeClient, stockClient } from '../support/sqlite.js';

/** Runs `meanwhile` while a transaction that has written one row is open, then rolls it back. */
async function besideRollback<Result>(client: PrismaClient, meanwhile: () => Promise<Result>): Promise<Result> {
  const written = gate();
  const done = gate();
  const rolledBack = client
    .$transaction(async (tx) => {
      await tx.apiKey.create({ data: apiKey('dropped') });
      written.open();
      await done.opened;
      throw new Error('on purpose');
    })
    .catch(() => undefined);
  await written.opened;
  const result = await meanwhile();
  done.open();
  await rolledBack;
  return result;
}

describe("Prisma's own adapter, which is why there is ours", () => {
  test('acknowledges a create and drops it with the rollback of another caller', async () => {
    const { client } = await stockClient();
    const acknowledged = await besideRollback(client, () => client.apiKey.create({ data: apiKey('acknowledged') }));
    expect(acknowledged.id).toBe('acknowledged');
    expect(await client.apiKey.findMany()).toEqual([]);
  });

  test('shows rows that are never committed', async () => {
    const { client } = await stockClient();
    const seen = await besideRollback(client, () => client.apiKey.findMany());
    expect(seen.map(({ id }) => id)).toEqual(['dropped']);
  });
});

describe('our adapter', () => {
  test('keeps what it acknowledged beside a transaction that rolls back', async () => {
    const { client } = await safeClient();
    // The create waits for the open transaction, so the test must not.
    const [acknowledged] = await besideRollback(client, async () => [
      client.apiKey.create({ data: apiKey('kept') }).then(),
    ]);
    expect((await acknowledged)?.id).toBe('kept');
    expect((await client.apiKey.findMany()).map(({ id }) => id)).toEqual(['kept']);
  });

  test('shows no row that is not committed, and does not make the reader wait', async () => {
    const { client } = await safeClient();
    expect(await besideRollback(client, () => client.apiKey.findMany())).toEqual([]);
    expect(await besideRollback(client, () => client.$queryRaw`SELECT id FROM "ApiKey"`)).toEqual([]);
  });

  test('shows a transaction its own rows', async () => {
    const { client } = await safeClient();
    const seen = await client.$transaction(async (tx) => {
      await tx.apiKey.create({ data: apiKey('own') });
      return tx.apiKey.count();
    });
    expect(seen).toBe(1);
  });

  test('loses none of 1,000 creates beside transactions that roll back', async () => {
    const { client } = await safeClient();
    const creates = Array.from({ length: 1000 }, (_, i) => client.apiKey.create({ data: apiKey(`kept-${i}`) }));
    const rollbacks = Array.from({ length: 200 }, (_, i) =>
      client
        .$transaction(
          async (tx) => {
            await tx.apiKey.create({ data: apiKey(`dropped-${i}`) });
            throw new Error('on purpose');
          },
          { maxWait: 20_000 },
        )
        .catch((error: Error) => error.message),
    );
    await Promise.all(creates);
    expect(new Set(await Promise.all(rollbacks))).toEqual(new Set(['on purpose']));
    const ids = (await client.apiKey.findMany({ select: { id: true } })).map(({ id }) => id);
    expect(ids).toHaveLength(1000);
    expect(ids.every((id) => id.startsWith('kept-'))).toBe(true);
  });
});
