/** What must hold for all workers together, kept by the primary process. */
import { Places, type StreamLimits } from '../../features/live/places.js';
import type { FromWorker, ToWorker } from './messages.js';
import { PositionSeats } from './position-seats.js';
import { TurnQueue } from './turn-queue.js';
import { WorkerLeases } from './worker-leases.js';

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
