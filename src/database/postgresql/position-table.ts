/**
 * The log positions that the reads of each key have to see, shared by all workers of a gateway: a table in a file that
 * every worker has open, or in the memory of the only process. A worker writes the position there before it answers a write, and looks there before each read.
 * Both take a few microseconds and no message. So all workers know of a write before its client has the answer, even if
 * the worker that made it ends right afterwards.
 *
 * Each key has a row, by the hash of its id, and each worker a column, where only this worker writes. The highest
 * position in the row applies. Keys that share a row only see more than they have to.
 */
import { closeSync, openSync, readSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseStartError } from '../database-problem.js';
import { beyondAll, positionKeptFor, type WalPosition } from './primary-positions.js';
import { numericHashOf } from './statement-names.js';

/** The column of a worker. */
export interface Seat {
  /** The file, as the worker has it open. */
  file: number;
  number: number;
  count: number;
}

const rows = 4096;
/** How often a row is read again if another worker is writing in it at that moment. */
const mostTries = 100;

export const tableBytes = (seats: number): number => rows * seats * entryBytes;

interface Memory {
  read(into: Buffer, at: number): unknown;
  write(entry: Buffer, at: number): unknown;
}

const inFile = (file: number): Memory => ({
  read: (into, at) => readSync(file, into, 0, into.length, at),
  write: (entry, at) => writeSync(file, entry, 0, entry.length, at),
});

function ofThisProcess(): Memory {
  const table = Buffer.alloc(tableBytes(1));
  return { read: (into, at) => table.copy(into, 0, at), write: (entry, at) => table.set(entry, at) };
}

/** One is kept for as long as a standby may be behind; after that, every read has to see it anyway. */
export class PositionTable {
  readonly #memory: Memory;
  readonly #row: Buffer;
  readonly #own = Buffer.alloc(entryBytes);
  /** Where its own column begins in a row. */
  readonly #column: number;

  /** Without a seat, for a gateway that is one process. */
  constructor(seat?: Seat) {
    this.#memory = seat ? inFile(seat.file) : ofThisProcess();
    this.#row = Buffer.alloc((seat?.count ?? 1) * entryBytes);
    this.#column = (seat?.number ?? 0) * entryBytes;
  }

  raise(keyId: string, position: WalPosition): void {
    const at = this.#placeOf(keyId) + this.#column;
    this.#memory.read(this.#own, at);
    const now = present();
    // `beyondAll` says that the primary did not answer in time. It has answered now.
    const known = readEntry(this.#own, 0, now) ?? beyondAll;
    const isHigher = position > known || known === beyondAll;
    writeEntry(this.#own, isHigher ? position : known, now + positionKeptFor);
    this.#memory.write(this.#own, at);
  }

  of(keyId: string): WalPosition {
    for (let tries = 0; tries < mostTries; tries++) {
      this.#memory.read(this.#row, this.#placeOf(keyId));
      const highest = this.#highest(present());
      if (highest !== undefined) return highest;
    }
    return beyondAll;
  }

  #placeOf(keyId: string): number {
    return (numericHashOf(keyId) % rows) * this.#row.length;
  }

  /** Undefined if a worker is writing in the row at this moment. */
  #highest(now: number): WalPosition | undefined {
    let highest = 0n;
    for (let at = 0; at < this.#row.length; at += entryBytes) {
      const position = readEntry(this.#row, at, now);
      if (position === undefined) return undefined;
      if (position > highest) highest = position;
    }
    return highest;
  }
}

/** Milliseconds of a clock that all processes of the machine share; the clock of `performance` starts in each process anew. */
const present = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** A power of two, so that no entry crosses the border of a page of memory. */
const entryBytes = 32;
const words = 5;

/** The position, or zero after its time. Undefined if the entry is half written, because its sum is wrong then. */
function readEntry(entries: Buffer, at: number, now: number): WalPosition | undefined {
  if (entries.readUInt32BE(at + 4 * words) !== sumOf(entries, at)) return undefined;
  if (entries.readDoubleBE(at) <= now) return 0n;
  return (BigInt(entries.readUInt32BE(at + 8)) << 64n) | entries.readBigUInt64BE(at + 12);
}

/** `until` is the time from which it does not count any more. */
function writeEntry(entry: Buffer, position: WalPosition, until: number): void {
  entry.writeDoubleBE(until);
  entry.writeUInt32BE(Number(position >> 64n), 8);
  entry.writeBigUInt64BE(BigInt.asUintN(64, position), 12);
  entry.writeUInt32BE(sumOf(entry, 0), 4 * words);
}

/** The sum of an entry that was never written is zero, like the entry. */
function sumOf(entries: Buffer, at: number): number {
  let sum = 0;
  for (let word = 0; word < words; word++) sum = Math.imul(sum ^ entries.readUInt32BE(at + 4 * word), 0x9e3779b1);
  return sum >>> 0;
}

// Part of the primary process: opens the file in which workers share positions, and gives each worker its column.

/** The number of the file in a worker. Numbers 0 to 3 are its input, its two outputs and the channel to the primary process. */
const inWorker = 4;

export class PositionSeats {
  /** How a worker is started, so that it has the file open. */
  readonly inherited: { stdio: ['inherit', 'inherit', 'inherit', 'ipc', number] };
  readonly #count: number;
  readonly #taken = new Set<number>();

  /** @throws DatabaseStartError */
  constructor(workers: number) {
    // While workers are replaced there is one more than usual, so twice as many seats are always enough.
    this.#count = 2 * workers;
    this.inherited = { stdio: ['inherit', 'inherit', 'inherit', 'ipc', openFile(tableBytes(this.#count))] };
  }

  /** A seat that no worker has. Positions that its last worker has written there still apply. */
  take(): Seat {
    for (let number = 0; number < this.#count; number++) {
      if (this.#taken.has(number)) continue;
      this.#taken.add(number);
      return { file: inWorker, number, count: this.#count };
    }
    throw new Error('More workers run than there are seats');
  }

  leave({ number }: Seat): void {
    this.#taken.delete(number);
  }
}

/**
 * Opens a file without a name, which is deleted when the last process that has it open ends. It is in memory if the
 * system has a folder for that.
 */
function openFile(bytes: number): number {
  const problems: unknown[] = [];
  for (const folder of ['/dev/shm', tmpdir()]) {
    try {
      return openIn(folder, bytes);
    } catch (error) {
      problems.push(error);
    }
  }
  throw new DatabaseStartError(
    `With DATABASE_READ_URL, workers share a file of ${Math.ceil(bytes / 1024)} KB, and neither /dev/shm nor ${tmpdir()} takes it. Make one of them writable, or set WORKERS=1.`,
    { cause: problems.at(-1) },
  );
}

function openIn(folder: string, bytes: number): number {
  const path = join(folder, `records-positions-${process.pid}-${Date.now()}`);
  const file = openSync(path, 'wx+', 0o600);
  try {
    unlinkSync(path);
    // The whole file is written now, so that no write fails later because the disk is full.
    writeFileSync(file, Buffer.alloc(bytes));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
