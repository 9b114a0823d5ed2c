/** If nearly all deliveries to a receiver fail, further documents are tried one by one, after growing pauses. */
import { expect, test } from 'vitest';
import { DeliveryQueue } from '../../../src/features/webhooks/delivery/delivery-queue.js';
import { Pace, queueLimits } from '../../../src/features/webhooks/delivery/webhook-worker.js';
import { deliveryOf } from './deliveries.js';

/** The pace of a receiver at which so many documents fail, none of which is due, and its queue. */
function failing() {
  const failures = queueLimits.failingDocuments;
  const queue = new DeliveryQueue(0, new Map());
  for (let position = 1; position <= failures; position++) {
    queue.addStored(
      deliveryOf(`${position}`, { position, attempts: 1, nextAttemptAt: new Date(Date.now() + 3_600_000) }),
    );
  }
  return { queue, pace: new Pace(queue, { failures }) };
}

test('one further document is tried, and the next only after a pause', () => {
  const { queue, pace } = failing();
  for (const position of [10, 11]) queue.add(deliveryOf(`${position}`, { position }), position - 1);
  const [first, second] = [pace.take(), pace.take()];
  expect([first?.position, second]).toEqual([10, undefined]);
});

test('what somebody asks for puts off no further document', () => {
  const { queue, pace } = failing();
  for (const test of ['a', 'b']) queue.addStored(deliveryOf(test, { requestedAt: new Date() }));
  expect([pace.take()?.document, pace.take()?.document]).toEqual(['a', 'b']);
  queue.add(deliveryOf('further', { position: 10 }), 9);
  expect(pace.take()?.document).toBe('further');
});
