/** What must hold for all workers together, kept by the primary process. */

import type { Lease } from '../limits/rate-limit.js';
import { Places, type StreamLimits } from '../limits/stream-places.js';
import type { FromWorker, ToWorker } from './messages.js';
import { PositionSeats } from './position-table.js';

/** A worker, as far as it shares. */
export interface Sharer {
  send(message: ToWorker): void;
}

export interface SharedSettings extends StreamLimits {
  /** Requests of each key in a minute. */
  rateLimit?: number | undefined;
  workers: number;
  databaseReadUrl: readonly string[];
}

export class SharedState<Worker extends Sharer> {
  readonly #turns = new TurnQueue<Worker>(
    (worker, isWanted) => worker.send({ kind: 'turn', isWanted, newest: this.#newest }),
    (worker) => worker.send({ kind: 'turn wanted' }),
  );
  /** Undefined where there are no standbys. */
  readonly seats: PositionSeats | undefined;
  readonly #leases: WorkerLeases;
  readonly #places: Places;
  /** The places of each worker, by key. */
  readonly #taken = new Map<Worker, Map<string, number>>();
  #newest = '';
  /** Whether a worker has seen that the database file was overwritten. */
  isOverwritten = false;
  /** Which files of an SQLite database the workers have open. */
  opened: string | undefined;

  /** @throws DatabaseStartError where there is no room for the file of positions */
  constructor(settings: SharedSettings) {
    this.#leases = new WorkerLeases(settings.rateLimit ?? Number.POSITIVE_INFINITY);
    this.#places = new Places(settings);
    if (settings.databaseReadUrl.length > 0) this.seats = new PositionSeats(settings.workers);
  }

  /** `others` are the workers that are notified of commits, and of a file that was overwritten. */
  take(worker: Worker, message: FromWorker, others: Iterable<Worker>): void {
    switch (message.kind) {
      case 'turn wanted':
        return this.#turns.want(worker);
      case 'turn over':
        this.#note(message.newest);
        return this.#turns.leave(worker);
      case 'committed':
        this.#note(message.newest);
        for (const each of others) if (each !== worker) each.send({ kind: 'committed', newest: this.#newest });
        return;
      case 'overwritten':
        this.isOverwritten = true;
        for (const each of others) each.send({ kind: 'overwritten' });
        return;
      case 'opened':
        this.opened = message.files;
        return;
      case 'lease wanted': {
        const lease = this.#leases.acquire(message.keyId, message.wanted);
        return worker.send({ kind: 'lease', id: message.id, lease });
      }
      case 'place wanted': {
        const place = this.#places.takeNow(message.keyId);
        if (place === 'taken') this.#count(worker, message.keyId, 1);
        return worker.send({ kind: 'place', id: message.id, place });
      }
      case 'places asked': {
        const taken = this.#places.takenHere(message.keyId);
        return worker.send({ kind: 'places', id: message.id, taken });
      }
      case 'place left':
        this.#places.leave(message.keyId);
        return this.#count(worker, message.keyId, -1);
    }
  }

  /** Gives back what an ended worker had. */
  forget(worker: Worker): void {
    this.#turns.leave(worker);
    for (const [keyId, places] of this.#taken.get(worker) ?? []) this.#places.leave(keyId, places);
    this.#taken.delete(worker);
  }

  #count(worker: Worker, keyId: string, places: number): void {
    const ofWorker = this.#taken.get(worker) ?? new Map<string, number>();
    this.#taken.set(worker, ofWorker);
    const ofKey = (ofWorker.get(keyId) ?? 0) + places;
    if (ofKey > 0) ofWorker.set(keyId, ofKey);
    else ofWorker.delete(keyId);
  }

  /** The parts of ids behind their slugs sort like the ids. */
  #note(newest: string): void {
    if (newest > this.#newest) this.#newest = newest;
  }
}

const minute = 60_000;

/** Counts in memory what each key sends in a minute of the clock, for all workers together. */
class WorkerLeases {
  readonly #used = new Map<string, number>();
  #minute = 0;

  /** `limit` is that of each key. */
  constructor(private readonly limit: number) {}

  acquire(keyId: string, wanted: number, now = Date.now()): Lease {
    const present = Math.floor(now / minute);
    if (present !== this.#minute) this.#used.clear();
    this.#minute = present;
    const before = this.#used.get(keyId) ?? 0;
    const granted = Math.min(wanted, Math.max(0, this.limit - before));
    this.#used.set(keyId, before + granted);
    return { granted, used: before + granted, ends: minute - (now % minute) };
  }
}

/** Who writes to SQLite: one at a time, in the order in which they ask. */
class TurnQueue<Writer> {
  readonly #waiting: Writer[] = [];
  #holder: Writer | undefined;

  /**
   * `give` gives a writer its turn, and says whether others wait; `ask` asks the writer whose turn it is to give it
   * back.
   */
  constructor(
    private readonly give: (writer: Writer, isWanted: boolean) => void,
    private readonly ask: (writer: Writer) => void,
  ) {}

  want(writer: Writer): void {
    if (writer === this.#holder || this.#waiting.includes(writer)) return;
    this.#waiting.push(writer);
    if (this.#holder === undefined) this.#next();
    else if (this.#waiting.length === 1) this.ask(this.#holder);
  }

  /** The writer gives its turn back, or has ended. */
  leave(writer: Writer): void {
    const place = this.#waiting.indexOf(writer);
    if (place >= 0) this.#waiting.splice(place, 1);
    if (writer === this.#holder) this.#next();
  }

  #next(): void {
    this.#holder = this.#waiting.shift();
    if (this.#holder !== undefined) this.give(this.#holder, this.#waiting.length > 0);
  }
}
