/** Reading ahead for streams is bounded: one large event at a time, and some megabytes for all streams. */
import { expect, test } from 'vitest';
import { framesOf } from '../../../src/features/live/follower.js';
import type { ChangedRecord } from '../../../src/features/live/read-record.js';
import { resources } from '../../support/resources.js';

const [resource] = resources;
if (!resource) throw new Error('There are no record types');
const changes = (count: number): ChangedRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ position: index + 1, action: 'update', resource, id: `${index}`, parentId: `${index}` },
    ...{ version: 2, revision: 2, document: { resource, id: `${index}` }, fields: [], own: undefined },
  }));

/** Frames of this size, and how many were begun and not yet taken at most. */
async function ahead(size: number, count: number) {
  let begun = 0;
  let taken = 0;
  let most = 0;
  const change = async () => {
    most = Math.max(most, ++begun - taken);
    await new Promise((resolve) => setImmediate(resolve));
    return Buffer.alloc(size);
  };
  for await (const { position } of framesOf({ change }, changes(count))) taken = position;
  return { most, begun };
}

test('small events are read ahead, a few at a time', async () => {
  const { most, begun } = await ahead(100, 40);
  expect(begun).toBe(40);
  expect(most).toBeGreaterThan(4);
  expect(most).toBeLessThan(10);
});

test('large events are read one at a time', async () => {
  const { most, begun } = await ahead(1024 * 1024, 12);
  expect(begun).toBe(12);
  expect(most).toBeLessThan(3);
});

test('once the streams hold some megabytes, none reads ahead, and what is given up is given back', async () => {
  const sizes = [10, 10, ...Array(8).fill(1024 * 1024)];
  const held = framesOf({ change: async ({ position }) => Buffer.alloc(sizes[position - 1] ?? 10) }, changes(10));
  await held.next();
  await held.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await ahead(100, 40)).most).toBeLessThan(3);
  await held.return(undefined);
  expect((await ahead(100, 40)).most).toBeGreaterThan(4);
});
