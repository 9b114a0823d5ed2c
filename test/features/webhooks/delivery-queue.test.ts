/**
 * The order of deliveries: one queue for each document, and the position up to which everything is delivered or stored.
 */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Delivery,
  DeliveryQueue,
  nextAttempt,
  retriedFor,
} from '../../../src/features/webhooks/delivery/delivery-queue.js';
import { deliveryOf } from './deliveries.js';

const delivery = (position: number, document: string, more: Partial<Delivery> = {}): Delivery =>
  deliveryOf(document, { position, ...more });

/** What is to be written by the queues of this file. */
const unsaved = new Map<string, Delivery | undefined>();
beforeEach(() => unsaved.clear());

function queueOf(...entries: [number, string][]) {
  const queue = new DeliveryQueue(0, unsaved);
  for (const [position, document] of entries) {
    queue.readTo = position;
    queue.add(delivery(position, document), position - 1);
  }
  return queue;
}

const taken = (queue: DeliveryQueue, now = 1, retriesOnly = false) => {
  const one = queue.take(now, retriesOnly);
  if (!one) throw new Error('Nothing is due');
  return one;
};

test('documents go side by side, the changes of one after the other', () => {
  const queue = queueOf([1, 'a'], [2, 'a'], [3, 'b']);
  const [first, other] = [taken(queue), taken(queue)];
  expect([first.position, other.position]).toEqual([1, 3]);
  expect(queue.take(1, false)).toBeUndefined();
  queue.settle(first);
  expect(taken(queue).position).toBe(2);
});

test('the position is that before the lowest that is open', () => {
  const queue = queueOf([1, 'a'], [2, 'b'], [3, 'c']);
  const [first, second, third] = [taken(queue), taken(queue), taken(queue)];
  expect(queue.position).toBe(0);
  queue.settle(second);
  expect(queue.position).toBe(0);
  queue.settle(first);
  expect(queue.position).toBe(2);
  queue.settle(third);
  expect(queue.position).toBe(3);
  queue.readTo = 9;
  expect(queue.position).toBe(9);
});

test('a failing document waits with all that follows in it, and the position goes on', () => {
  const queue = queueOf([1, 'a'], [2, 'b'], [3, 'a']);
  const first = taken(queue);
  first.attempts = 1;
  first.nextAttemptAt = new Date(100);
  queue.postpone(first);
  expect([...unsaved.values()].map((each) => each?.position)).toEqual([1, 3]);
  queue.settle(taken(queue));
  expect(queue.position).toBe(3);
  expect(queue.take(99, false)).toBeUndefined();
  queue.readTo = 4;
  queue.add(delivery(4, 'a'), 3);
  expect(unsaved.get('msg_4')?.position).toBe(4);
  expect([queue.position, queue.storedCount, queue.failingCount]).toEqual([4, 3, 1]);
  const again = taken(queue, 100);
  expect(again).toBe(first);
  queue.settle(again);
  expect([...unsaved][0]).toEqual(['msg_1', undefined]);
  expect(taken(queue, 100).position).toBe(3);
});

test('where only repetitions are wanted, no other document begins', () => {
  const queue = queueOf([1, 'a'], [2, 'b']);
  const first = taken(queue);
  first.attempts = 1;
  queue.postpone(first);
  expect(taken(queue, 1, true)).toBe(first);
  expect(queue.take(1, true)).toBeUndefined();
});

test('what somebody asks for comes at once, and once', () => {
  const queue = queueOf([5, 'a']);
  const underWay = taken(queue);
  queue.addStored(delivery(2, 'a', { requestedAt: new Date(7) }));
  queue.addStored(delivery(2, 'a', { requestedAt: new Date(7) }));
  expect(queue.storedCount).toBe(1);
  queue.settle(underWay);
  expect(taken(queue).position).toBe(2);
  const failing = queueOf([1, 'b']);
  const one = taken(failing);
  one.nextAttemptAt = new Date(1000);
  failing.postpone(one);
  unsaved.clear();
  failing.addStored(delivery(1, 'b', { nextAttemptAt: new Date(1), requestedAt: new Date(8) }));
  expect(taken(failing, 2)).toBe(one);
});

test('in whatever order deliveries succeed and fail, none is lost and each document is in order', () => {
  const steps = fc.array(
    fc.record({ document: fc.constantFrom('a', 'b', 'c'), outcome: fc.constantFrom('ok', 'fail') }),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(steps, fc.infiniteStream(fc.boolean()), (entries, outcomes) => {
      const stored = new Map<string, Delivery | undefined>();
      const queue = new DeliveryQueue(0, stored);
      const made = new Map<string, number[]>();
      entries.forEach(({ document }, index) => {
        queue.readTo = index + 1;
        queue.add(delivery(index + 1, document), index);
      });
      for (let steps = 0; steps < 2000; steps++) {
        const one = queue.take(Number.MAX_SAFE_INTEGER, false);
        if (!one) break;
        const position = one.position ?? 0;
        if (outcomes.next().value || steps > 1000) {
          queue.settle(one);
          made.set(one.document, [...(made.get(one.document) ?? []), position]);
        } else {
          queue.postpone(one);
        }
        const settled = [...made.values()].flat();
        // After a crash, what is above the position is read again, and what is stored is read from the table.
        for (let each = 1; each <= entries.length; each++) {
          expect(each > queue.position || stored.get(`msg_${each}`) || settled.includes(each)).toBeTruthy();
        }
      }
      for (const [document, positions] of made) {
        expect(positions).toEqual(entries.flatMap((entry, index) => (entry.document === document ? [index + 1] : [])));
      }
      expect([...made.values()].flat()).toHaveLength(entries.length);
    }),
    { numRuns: 50 },
  );
});

describe('repetitions', () => {
  const hours = (count: number) => count * 60 * 60 * 1000;

  test('come with growing pauses for three days, and then no more', () => {
    const since = new Date(0);
    const times: number[] = [];
    let now = since;
    for (let attempts = 1; attempts < 100; attempts++) {
      const next = nextAttempt(attempts, since, now);
      if (!next) break;
      times.push(next.getTime() - now.getTime());
      now = next;
    }
    expect(now.getTime()).toBe(retriedFor);
    expect(retriedFor).toBe(hours(72));
    expect(times[0]).toBeLessThan(6000);
    // The last but one is the longest; the last ends with the three days.
    const growing = times.slice(0, 8);
    expect(growing).toEqual(growing.toSorted((one, other) => one - other));
    expect(times.length).toBeGreaterThan(10);
    expect(times.length).toBeLessThan(30);
  });

  test('wait for no time that a clock has set which was ahead', () => {
    const now = hours(1_000);
    const since = new Date(now);
    const queue = queueOf([1, 'a'], [2, 'b']);
    const [late, ahead] = [taken(queue, now), taken(queue, now)];
    late.nextAttemptAt = new Date(Number(nextAttempt(9, since, since, 1)));
    ahead.nextAttemptAt = new Date(Number(nextAttempt(9, since, new Date(now + hours(24)), 1)));
    for (const each of [late, ahead]) queue.postpone(each);
    expect([queue.take(now, false), queue.take(now, false)]).toEqual([ahead, undefined]);
    expect(queue.take(late.nextAttemptAt.getTime(), false)).toBe(late);
  });

  test('are not made together by what failed together', () => {
    const at = new Set(Array.from({ length: 50 }, () => Number(nextAttempt(3, new Date(0), new Date(0)))));
    expect(at.size).toBeGreaterThan(10);
  });
});
