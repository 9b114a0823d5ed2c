/** An entry of the table of positions that workers share. */
import type { WalPosition } from '../../database/postgresql/wal-position.js';

export interface PositionEntry {
  position: WalPosition;
  /** The time from which it does not count any more, in milliseconds of the clock of the machine. */
  until: number;
}

/** A power of two, so that no entry crosses the border of a page of memory. */
export const entryBytes = 32;
const words = 5;

/** The position, or zero after its time. Undefined if the entry is half written, because its sum is wrong then. */
export function readEntry(view: DataView, at: number, now: number): WalPosition | undefined {
  if (view.getUint32(at + 4 * words) !== sumOf(view, at)) return undefined;
  if (view.getFloat64(at) <= now) return 0n;
  return (BigInt(view.getUint32(at + 8)) << 64n) | view.getBigUint64(at + 12);
}

export function writeEntry(view: DataView, { position, until }: PositionEntry): void {
  view.setFloat64(0, until);
  view.setUint32(8, Number(position >> 64n));
  view.setBigUint64(12, BigInt.asUintN(64, position));
  view.setUint32(4 * words, sumOf(view, 0));
}

/** The sum of an entry that was never written is zero, like the entry. */
function sumOf(view: DataView, at: number): number {
  let sum = 0;
  for (let word = 0; word < words; word++) sum = Math.imul(sum ^ view.getUint32(at + 4 * word), 0x9e3779b1);
  return sum >>> 0;
}
