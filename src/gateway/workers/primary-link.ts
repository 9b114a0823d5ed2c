/** The worker's end of the channel to the primary process. */
import type { FilePeers, Peers } from '../../database/peers.js';
import type { PlaceAnswer, SharedPlaces } from '../../features/live/places.js';
import type { Ids } from '../../model/ids.js';
import type { AcquireLease, Lease } from '../limits/rate-limit.js';
import { type FromWorker, isToWorker, type Served, type ToWorker } from './messages.js';
import { OwnTurn } from './own-turn.js';
import { PendingAnswers } from './pending-answers.js';
import { WorkerCommitSignals } from './worker-commit-signals.js';

/** What the primary process may tell a worker to do. */
export interface Orders {
  reload(): void;
  /** `isStop` says whether the whole gateway stops. */
  leave(isStop: boolean): void;
  /** Undefined where nothing is measured. */
  metrics?: (() => Promise<string>) | undefined;
}

export class PrimaryLink {
  readonly #ids: Pick<Ids, 'newest' | 'startAfter'>;
  readonly #turn: OwnTurn;
  readonly #news: WorkerCommitSignals;
  readonly #leases = new PendingAnswers<Lease>();
  readonly #places = new PendingAnswers<PlaceAnswer>();
  readonly #taken = new PendingAnswers<number>();
  #orders: Orders | undefined;
  /** Whether it was told to reload before it served: it may have read the settings before they changed. */
  #isReloadDue = false;

  constructor(
    ids: Pick<Ids, 'newest' | 'startAfter'>,
    private isOverwritten: boolean,
  ) {
    this.#ids = ids;
    this.#turn = new OwnTurn({
      want: () => this.#send({ kind: 'turn wanted' }),
      passOn: () => this.#send({ kind: 'turn over', newest: ids.newest() }),
    });
    this.#news = new WorkerCommitSignals(() => this.#send({ kind: 'committed', newest: ids.newest() }));
    process.on('message', (message) => {
      if (isToWorker(message)) this.#take(message);
    });
  }

  /** For the processes that share an SQLite file. */
  get peers(): Peers {
    return { turns: this.#turn, signals: this.#news, files: this.#files };
  }

  readonly #files: FilePeers = {
    isOverwritten: () => this.isOverwritten,
    tellOverwritten: () => {
      if (!this.isOverwritten) this.#send({ kind: 'overwritten' });
      this.isOverwritten = true;
    },
    tellOpened: (files) => this.#send({ kind: 'opened', files }),
  };

  /** The requests that keys may send, counted for all workers. */
  readonly lease: AcquireLease = (keyId, wanted) =>
    this.#leases.ask((id) => this.#send({ kind: 'lease wanted', id, keyId, wanted }));

  /** The places of streams, counted for all workers. */
  readonly places: SharedPlaces = {
    take: (keyId) => this.#places.ask((id) => this.#send({ kind: 'place wanted', id, keyId })),
    leave: (keyId) => this.#send({ kind: 'place left', keyId }),
    takenBy: (keyId) => this.#taken.ask((id) => this.#send({ kind: 'places asked', id, keyId })),
  };

  /** Reports that this worker serves, and carries out orders from now on. */
  serve(served: Served, orders: Orders): void {
    this.#orders = orders;
    this.#turn.keep();
    if (this.#isReloadDue) orders.reload();
    this.#send({ kind: 'served', served });
  }

  #take(message: ToWorker): void {
    switch (message.kind) {
      case 'turn':
        this.#ids.startAfter(message.newest);
        return this.#turn.begin(message.isWanted);
      case 'turn wanted':
        return this.#turn.passOnSoon();
      case 'committed':
        this.#ids.startAfter(message.newest);
        return this.#news.notify();
      case 'overwritten':
        this.isOverwritten = true;
        return;
      case 'lease':
        return this.#leases.answer(message.id, message.lease);
      case 'place':
        return this.#places.answer(message.id, message.place);
      case 'places':
        return this.#taken.answer(message.id, message.taken);
      case 'metrics wanted':
        // The primary process waits for the answer for a limited time.
        return void this.#sendMetrics(message.id).catch(() => undefined);
      case 'reload':
        this.#isReloadDue = this.#orders === undefined;
        return this.#orders?.reload();
      case 'leave':
        return this.#orders?.leave(message.isStop);
    }
  }

  async #sendMetrics(id: number): Promise<void> {
    this.#send({ kind: 'metrics', id, text: (await this.#orders?.metrics?.()) ?? '' });
  }

  #send(message: FromWorker): void {
    // Without the primary process this one ends, too.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}
