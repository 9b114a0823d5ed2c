/** What must hold for all workers together, kept by the primary process. */

import { PositionSeats } from '../../database/postgresql/position-table.js';
import type { Config } from '../config/config.js';
import type { Lease } from '../limits/rate-limit.js';
import { Places } from '../limits/stream-places.js';
import { Channel, type OtherEnd, type PrimaryCalls, type WorkerCalls } from './messages.js';

export type SharedSettings = Pick<
  Config,
  'workers' | 'rateLimit' | 'streamsAtOnce' | 'streamsPerKey' | 'databaseReadUrl'
>;

export type WorkerChannel = Channel<PrimaryCalls, WorkerCalls>;

export class SharedState {
  readonly #workers = new Set<WorkerChannel>();
  readonly #turns = new TurnQueue(() => this.#newest);
  /** Undefined where there are no standbys. */
  readonly seats: PositionSeats | undefined;
  readonly #leases: WorkerLeases;
  readonly #places: Places;
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

  /**
   * Takes part in what a worker shares, until it ends: then others get what it had. What it has said before may be heard only after
   * that; then it gets nothing more, because it could not give it back.
   */
  join(process: OtherEnd, ended: Promise<unknown>): WorkerChannel {
    /** The keys of its streams, each as often as it has some. */
    const streams: string[] = [];
    const worker: WorkerChannel = new Channel<PrimaryCalls, WorkerCalls>(process, {
      wantTurn: () => this.#workers.has(worker) && this.#turns.want(worker),
      endTurn: (newest) => {
        this.#note(newest);
        this.#turns.leave(worker);
      },
      committed: (newest) => {
        this.#note(newest);
        for (const each of this.#workers) if (each !== worker) each.tell('committed', this.#newest);
      },
      overwritten: () => {
        this.isOverwritten = true;
        for (const each of this.#workers) each.tell('overwritten');
      },
      opened: (files) => {
        this.opened = files;
      },
      lease: async (keyId, wanted) => this.#leases.acquire(keyId, wanted),
      takePlace: async (keyId) => {
        const place = this.#workers.has(worker) ? this.#places.takeNow(keyId) : 'too many';
        if (place === 'taken') streams.push(keyId);
        return place;
      },
      leavePlace: (keyId) => {
        streams.splice(streams.indexOf(keyId), 1);
        this.#places.leave(keyId);
      },
      placesOf: async (keyId) => this.#places.takenHere(keyId),
    });
    this.#workers.add(worker);
    void ended.then(() => {
      this.#workers.delete(worker);
      this.#turns.leave(worker);
      for (const keyId of streams) this.#places.leave(keyId);
    });
    return worker;
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
class TurnQueue {
  readonly #waiting: WorkerChannel[] = [];
  #holder: WorkerChannel | undefined;

  constructor(private readonly newest: () => string) {}

  want(worker: WorkerChannel): void {
    if (worker === this.#holder || this.#waiting.includes(worker)) return;
    this.#waiting.push(worker);
    if (this.#holder === undefined) this.#next();
    else if (this.#waiting.length === 1) this.#holder.tell('turnWanted');
  }

  /** The worker gives its turn back, or has ended. */
  leave(worker: WorkerChannel): void {
    const place = this.#waiting.indexOf(worker);
    if (place >= 0) this.#waiting.splice(place, 1);
    if (worker === this.#holder) this.#next();
  }

  #next(): void {
    this.#holder = this.#waiting.shift();
    this.#holder?.tell('turn', this.#waiting.length > 0, this.newest());
  }
}
