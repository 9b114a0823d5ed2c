/** The worker's end of the channel to the primary process. */

import { inTime } from '../../common/timing.js';
import type { CommitSignals, FilePeers, Listening, Peers, WriteTurns } from '../../database/direct-access.js';
import type { Ids } from '../../model/ids.js';
import type { AcquireLease } from '../limits/rate-limit.js';
import type { SharedPlaces } from '../limits/stream-places.js';
import { Channel, type Orders, type PrimaryCalls, type Served, type WorkerCalls } from './messages.js';

export class PrimaryLink {
  readonly #primary: Channel<WorkerCalls, PrimaryCalls>;
  readonly #turn: OwnTurn;
  readonly #news: WorkerCommitSignals;

  constructor(
    ids: Pick<Ids, 'newest' | 'startAfter'>,
    private isOverwritten: boolean,
  ) {
    this.#primary = new Channel<WorkerCalls, PrimaryCalls>(process, {
      turn: (isWanted, newest) => {
        ids.startAfter(newest);
        this.#turn.begin(isWanted);
      },
      turnWanted: () => this.#turn.passOnSoon(),
      committed: (newest) => {
        ids.startAfter(newest);
        this.#news.notify();
      },
      overwritten: () => {
        this.isOverwritten = true;
      },
    });
    this.#turn = new OwnTurn(
      () => this.#primary.tell('wantTurn'),
      () => this.#primary.tell('endTurn', ids.newest()),
    );
    this.#news = new WorkerCommitSignals(() => this.#primary.tell('committed', ids.newest()));
  }

  /** For the processes that share an SQLite file. */
  get peers(): Peers {
    return { turns: this.#turn, signals: this.#news, files: this.#files };
  }

  readonly #files: FilePeers = {
    isOverwritten: () => this.isOverwritten,
    tellOverwritten: () => {
      if (!this.isOverwritten) this.#primary.tell('overwritten');
      this.isOverwritten = true;
    },
    tellOpened: (files) => this.#primary.tell('opened', files),
  };

  /** The requests that keys may send, counted for all workers. */
  readonly lease: AcquireLease = (...wanted) => this.#primary.ask('lease', wanted);

  /** The places of streams, counted for all workers. */
  readonly places: SharedPlaces = {
    take: (keyId) => this.#primary.ask('takePlace', [keyId]),
    leave: (keyId) => this.#primary.tell('leavePlace', keyId),
    takenBy: (keyId) => this.#primary.ask('placesOf', [keyId]),
  };

  /** Reports that this worker serves, and carries out orders from now on. */
  serve(served: Served, orders: Orders): void {
    this.#primary.add(orders);
    this.#turn.keep();
    this.#primary.tell('served', served);
  }
}

/** Milliseconds between two messages: one covers all commits since the last. */
const pause = 5;

/** Notifies the other workers of commits to SQLite, and is notified of theirs. */
class WorkerCommitSignals implements CommitSignals {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #sentAt = 0;

  constructor(private readonly tell: () => void) {}

  send(): void {
    if (this.#timer) return;
    const tell = () => {
      this.#timer = undefined;
      this.#sentAt = performance.now();
      this.tell();
    };
    this.#timer = setTimeout(tell, Math.max(0, this.#sentAt + pause - performance.now())).unref();
  }

  listen(onSignal: () => void): Listening {
    this.#listeners.add(onSignal);
    // Other programs may write to the file without a signal, so listeners have to poll all the same.
    return { isHearing: false, stop: () => void this.#listeners.delete(onSignal) };
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Milliseconds after which a worker tries to write without its turn: the worker that has the turn may be busy. */
const patience = 50;

/**
 * The turn of this worker to write to SQLite. Once the worker serves, it keeps the turn until another one wants it;
 * while it starts, it may be too busy to notice that.
 */
class OwnTurn implements WriteTurns {
  #isOwn = false;
  #isWriting = false;
  #isAsked = false;
  #isKept = false;
  /** Whether another worker wants it. */
  #isWanted = false;
  #begun: (() => void) | undefined;

  /** `want` asks the primary process for the turn, `giveBack` gives it back. */
  constructor(
    private readonly want: () => void,
    private readonly giveBack: () => void,
  ) {}

  take(): Promise<void> | undefined {
    this.#isWriting = true;
    if (this.#isOwn) return undefined;
    if (!this.#isAsked) this.want();
    this.#isAsked = true;
    return this.#wait();
  }

  end(): void {
    this.#isWriting = false;
    this.#passOnIfDue();
  }

  /** To be called when this worker serves. */
  keep(): void {
    this.#isKept = true;
  }

  /** To be called when the turn is given. It may come after the wait for it was over. */
  begin(isWanted: boolean): void {
    this.#isOwn = true;
    this.#isAsked = false;
    this.#isWanted = isWanted;
    this.#begun?.();
    this.#passOnIfDue();
  }

  passOnSoon(): void {
    this.#isWanted = true;
    this.#passOnIfDue();
  }

  async #wait(): Promise<void> {
    const begun = new Promise<void>((resolve) => {
      this.#begun = resolve;
    });
    await inTime(begun, patience, () => undefined);
    this.#begun = undefined;
  }

  #passOnIfDue(): void {
    if (!this.#isOwn || this.#isWriting || (this.#isKept && !this.#isWanted)) return;
    this.#isOwn = false;
    this.#isWanted = false;
    this.giveBack();
  }
}
