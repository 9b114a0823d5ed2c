/** One process delivers at a time, by the clock of the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OpenedDatabase, openDatabase } from '../../../src/database/open-database.js';
import { DeliveryLease, leaseTimes } from '../../../src/features/webhooks/delivery/delivery-lease.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';

describe.each(providers)('on %s', (provider) => {
  let database: OpenedDatabase;
  beforeAll(async () => {
    database = await openDatabase({ url: await freshDatabaseUrl(provider), migrate: true });
  });
  afterAll(() => database.close());
  beforeEach(() => database.client.webhookLease.deleteMany());

  const expire = (by: number) =>
    database.client.webhookLease.updateMany({ data: { expiresAt: { decrement: BigInt(by) } } });

  test('of many that want the lease at once one gets it', async () => {
    const leases = Array.from({ length: 8 }, () => new DeliveryLease(database));
    const taken = await Promise.all(leases.map((lease) => lease.take()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(leases.map(({ isHeld }) => isHeld)).toEqual(taken);
    expect(await Promise.all(leases.map((lease) => lease.take()))).toEqual(taken);
  });

  test('the holder relies on it for less time than it is valid', async () => {
    const lease = new DeliveryLease(database);
    await lease.take();
    await sleep(leaseTimes.valid - leaseTimes.margin + 50);
    expect(lease.isHeld).toBe(false);
    expect(await new DeliveryLease(database).take()).toBe(false);
  });

  test('when it has expired another takes it, and the old holder can write nothing', async () => {
    const [old, other] = [new DeliveryLease(database), new DeliveryLease(database)];
    expect(await old.take()).toBe(true);
    expect(await other.take()).toBe(false);
    await expire(leaseTimes.valid);
    expect(await other.take()).toBe(true);
    expect(await database.transaction((tx) => old.confirm(tx))).toBe(false);
    expect([old.isHeld, other.isHeld]).toEqual([false, true]);
    expect(await database.transaction((tx) => other.confirm(tx))).toBe(true);
  });

  test('one that was released is free at once', async () => {
    const [old, other] = [new DeliveryLease(database), new DeliveryLease(database)];
    await old.take();
    await old.release();
    expect([old.isHeld, await other.take()]).toEqual([false, true]);
  });

  test('one that a clock in the future has set keeps nobody out', async () => {
    const [old, other] = [new DeliveryLease(database), new DeliveryLease(database)];
    await old.take();
    await expire(-24 * 60 * 60 * 1000);
    expect(await other.take()).toBe(true);
  });
});
