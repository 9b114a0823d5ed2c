/** The worker's end of the channel to the primary process. */

import { inTime } from '../../common/timing.js';
import type { CommitSignals, FilePeers, Listening, Peers, WriteTurns } from '../../database/direct-access.js';
import type { Ids } from '../../model/ids.js';
import type { AcquireLease, Lease } from '../limits/rate-limit.js';
import type { PlaceAnswer, SharedPlaces } from '../limits/stream-places.js';
import { type FromWorker, isToWorker, PendingAnswers, type Served, type ToWorker } from './messages.js';

/** What the primary process may tell a worker to do. */
export interface Orders {
  reload(): void;
  /** `isStop` says whether the whole gateway stops. */
  leave(isStop: boolean): void;
  /** What features report when they are asked, by name. */
  reports: Readonly<Record<string, () => Promise<string>>>;
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
      case 'report wanted':
        // The primary process waits for the answer for a limited time.
        return void this.#report(message.id, message.name).catch(() => undefined);
      case 'reload':
        this.#isReloadDue = this.#orders === undefined;
        return this.#orders?.reload();
      case 'leave':
        return this.#orders?.leave(message.isStop);
    }
  }

  async #report(id: number, name: string): Promise<void> {
    this.#send({ kind: 'report', id, text: (await this.#orders?.reports[name]?.()) ?? '' });
  }

  #send(message: FromWorker): void {
    // Without the primary process this one ends, too.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}

/** Milliseconds between two messages: one covers all commits since the last. */
const pause = 5;

/** Notifies the other workers of commits to SQLite, and is notified of theirs. */
class WorkerCommitSignals implements CommitSignals {
  readonly #send: () => void;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(send: () => void) {
    this.#send = send;
  }

  send(): void {
    if (this.#timer) {
      this.#isDue = true;
      return;
    }
    this.#send();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isDue) return;
      this.#isDue = false;
      this.send();
    }, pause).unref();
  }

  listen(onSignal: () => void): Listening {
    this.#listeners.add(onSignal);
    // Other programs may write to the file without a signal, so listeners have to poll all the same.
    return { isHearing: false, stop: () => void this.#listeners.delete(onSignal) };
  }

  /** To be called when another worker has committed. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Milliseconds after which a worker tries to write without its turn: the worker that has the turn may be busy. */
const patience = 50;

interface TurnChannel {
  /** Asks the primary process for the turn. */
  want(): void;
  /** Gives it back. */
  passOn(): void;
}

/**
 * The turn of this worker to write to SQLite. Once the worker serves, it keeps the turn until another one wants it;
 * while it starts, it may be too busy to notice that.
 */
class OwnTurn implements WriteTurns {
  readonly #channel: TurnChannel;
  #isOwn = false;
  #isWriting = false;
  #isAsked = false;
  #isKept = false;
  /** Whether another worker wants it. */
  #isWanted = false;
  #begun: (() => void) | undefined;

  constructor(channel: TurnChannel) {
    this.#channel = channel;
  }

  take(): Promise<void> | undefined {
    this.#isWriting = true;
    if (this.#isOwn) return undefined;
    if (!this.#isAsked) this.#channel.want();
    this.#isAsked = true;
    return this.#wait();
  }

  end(): void {
    this.#isWriting = false;
    if (this.#isOwn && (this.#isWanted || !this.#isKept)) this.#passOn();
  }

  /** To be called when this worker serves. */
  keep(): void {
    this.#isKept = true;
  }

  /** To be called when the turn is given. */
  begin(isWanted: boolean): void {
    this.#isOwn = true;
    this.#isAsked = false;
    this.#isWanted = isWanted;
    this.#begun?.();
    // The turn came after the wait for it was over.
    if (!this.#isWriting && (isWanted || !this.#isKept)) this.#passOn();
  }

  /** To be called when another worker wants the turn. */
  passOnSoon(): void {
    this.#isWanted = true;
    if (this.#isOwn && !this.#isWriting) this.#passOn();
  }

  async #wait(): Promise<void> {
    const begun = new Promise<void>((resolve) => {
      this.#begun = resolve;
    });
    await inTime(begun, patience, () => undefined);
    this.#begun = undefined;
  }

  #passOn(): void {
    this.#isOwn = false;
    this.#isWanted = false;
    this.#channel.passOn();
  }
}
