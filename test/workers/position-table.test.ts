/** The positions that workers share: all read what a worker has written in its slot, even after it was replaced. */
import { writeSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PositionSeats, PositionTable, tableBytes } from '../../src/database/postgresql/position-table.js';
import { beyondAll } from '../../src/database/postgresql/primary-positions.js';

/** The tables of workers, here on the number that the file has in this process. */
function createTables(workers = 2) {
  const seats = new PositionSeats(workers);
  const file = seats.inherited.stdio[4];
  return { seats, file, sit: () => new PositionTable({ ...seats.take(), file }) };
}

test('the highest position of all workers holds, up to the highest there is', () => {
  const { sit } = createTables();
  const [one, other] = [sit(), sit()];
  expect(one.of('key')).toBe(0n);
  one.raise('key', 7n << 64n);
  other.raise('key', (7n << 64n) + 0xffff_ffff_ffff_fffen);
  one.raise('key', 5n);
  for (const table of [one, other]) expect(table.of('key')).toBe((7n << 64n) + 0xffff_ffff_ffff_fffen);
  expect(other.of('another')).toBe(0n);
  other.raise('key', beyondAll);
  expect(one.of('key')).toBe(beyondAll);
  // The primary was asked again, and has answered.
  other.raise('key', 9n << 64n);
  expect(one.of('key')).toBe(9n << 64n);
});

test('who takes the seat of another one keeps what was written there', () => {
  const { seats, file, sit } = createTables();
  const reader = sit();
  const seat = seats.take();
  new PositionTable({ ...seat, file }).raise('key', 7n);
  seats.leave(seat);
  const next = seats.take();
  expect(next).toEqual(seat);
  const table = new PositionTable({ ...next, file });
  table.raise('key', 5n);
  for (const each of [reader, table]) expect(each.of('key')).toBe(7n);
  for (let left = 2; left > 0; left--) seats.take();
  expect(() => seats.take()).toThrow('seats');
});

test('a position is kept until every read has to see it', () => {
  vi.useFakeTimers({ toFake: ['hrtime'] });
  onTestFinished(() => void vi.useRealTimers());
  const { sit } = createTables();
  const [one, other] = [sit(), sit()];
  one.raise('key', 7n);
  vi.advanceTimersByTime(14_000);
  expect(other.of('key')).toBe(7n);
  vi.advanceTimersByTime(2_000);
  expect(other.of('key')).toBe(0n);
  // A database that was set back to an earlier moment.
  one.raise('key', 3n);
  expect(other.of('key')).toBe(3n);
});

test('of what is half written nobody reads less than was there', () => {
  const { file, sit } = createTables();
  const [one, other] = [sit(), sit()];
  one.raise('key', 7n);
  writeSync(file, Buffer.alloc(tableBytes(4), 1), 0, tableBytes(4), 0);
  expect(other.of('key')).toBe(beyondAll);
  for (const table of [one, other, sit(), sit()]) table.raise('key', 8n);
  expect(other.of('key')).toBe(8n);
});

test('a gateway that is one process has a table of its own', () => {
  const [one, other] = [new PositionTable(), new PositionTable()];
  one.raise('key', 7n << 64n);
  one.raise('key', 5n);
  expect([one.of('key'), one.of('another'), other.of('key')]).toEqual([7n << 64n, 0n, 0n]);
});
