/**
 * The log positions that the reads of each key have to see, shared by all workers of a gateway: a table in a file that
 * every worker has open. A worker writes the position there before it answers a write, and looks there before each read.
 * Both take a few microseconds and no message. So all workers know of a write before its client has the answer, even if
 * the worker that made it ends right afterwards.
 *
 * Each key has a row, by the hash of its id, and each worker a column, where only this worker writes. The highest
 * position in the row applies. Keys that share a row only see more than they have to.
 */
import { readSync, writeSync } from 'node:fs';
import { numericHashOf } from '../../database/postgresql/hash-of.js';
import { positionKeptFor } from '../../database/postgresql/key-positions.js';
import { beyondAll, type WalPosition } from '../../database/postgresql/wal-position.js';
import type { WrittenPositions } from '../../database/postgresql/written-positions.js';

/** The column of a worker. */
export interface Seat {
  /** The file, as the worker has it open. */
  file: number;
  number: number;
  /** How many seats there are. */
  count: number;
}

const rows = 1024;
/** How often a row is read again if another worker is writing in it at that moment. */
const mostTries = 100;

export const tableBytes = (seats: number): number => rows * seats * entryBytes;

export class PositionTable implements WrittenPositions {
  readonly #seat: Seat;
  readonly #row: DataView;
  readonly #own = new DataView(new ArrayBuffer(entryBytes));

  constructor(seat: Seat) {
    this.#seat = seat;
    this.#row = new DataView(new ArrayBuffer(seat.count * entryBytes));
  }

  raise(keyId: string, position: WalPosition): void {
    const { file, number } = this.#seat;
    const at = rowOf(keyId) * this.#row.byteLength + number * entryBytes;
    readSync(file, this.#own, 0, entryBytes, at);
    const now = present();
    // `beyondAll` says that the primary did not answer in time. It has answered now.
    const known = readEntry(this.#own, 0, now) ?? beyondAll;
    const isHigher = position > known || known === beyondAll;
    writeEntry(this.#own, { position: isHigher ? position : known, until: now + positionKeptFor });
    writeSync(file, this.#own, 0, entryBytes, at);
  }

  of(keyId: string): WalPosition {
    const { byteLength } = this.#row;
    for (let tries = 0; tries < mostTries; tries++) {
      readSync(this.#seat.file, this.#row, 0, byteLength, rowOf(keyId) * byteLength);
      const highest = this.#highest(present());
      if (highest !== undefined) return highest;
    }
    return beyondAll;
  }

  /** Undefined if a worker is writing in the row at this moment. */
  #highest(now: number): WalPosition | undefined {
    let highest = 0n;
    for (let at = 0; at < this.#row.byteLength; at += entryBytes) {
      const position = readEntry(this.#row, at, now);
      if (position === undefined) return undefined;
      if (position > highest) highest = position;
    }
    return highest;
  }
}

const rowOf = (keyId: string): number => numericHashOf(keyId) % rows;

/** Milliseconds of a clock that all processes of the machine share; the clock of `performance` starts in each process anew. */
const present = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** An entry of the table of positions that workers share. */
interface PositionEntry {
  position: WalPosition;
  /** The time from which it does not count any more, in milliseconds of the clock of the machine. */
  until: number;
}

/** A power of two, so that no entry crosses the border of a page of memory. */
const entryBytes = 32;
const words = 5;

/** The position, or zero after its time. Undefined if the entry is half written, because its sum is wrong then. */
function readEntry(view: DataView, at: number, now: number): WalPosition | undefined {
  if (view.getUint32(at + 4 * words) !== sumOf(view, at)) return undefined;
  if (view.getFloat64(at) <= now) return 0n;
  return (BigInt(view.getUint32(at + 8)) << 64n) | view.getBigUint64(at + 12);
}

function writeEntry(view: DataView, { position, until }: PositionEntry): void {
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
