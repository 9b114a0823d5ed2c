/** Part of the primary process: opens the file in which workers share positions, and gives each worker its column. */
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseStartError } from '../../database/database-start-error.js';
import { type Seat, tableBytes } from './position-table.js';

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
