import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import type { Caller, Rows } from '../direct-access.js';
import { FairQueue } from '../queues.js';
import { type PausableProcess, type ReaderAnswer, type ReaderRead, readerProgram, SqliteReader } from './reader.js';
import { closedError, readError, stoppedError, waitedError } from './sqlite-errors.js';
import type { SqliteValue } from './sqlite-values.js';

/**
 * Reads of a key at the same time. One processor is left to the gateway, in case the system ignores priorities. One more read
 * may run for other keys, so that they need not wait for long ones.
 */
const readersPerKey = Math.max(1, Math.min(4, availableParallelism() - 1));
/** The longest queue of requests, and how long each may wait, in milliseconds. */
const readersWaiting = { most: 1000, millis: 10_000 };
/** Milliseconds after which an idle reader is ended. */
const idleMillis = 60_000;

export interface ReaderOptions {
  /** The largest answer in bytes; see `answer-limit.ts`. */
  answerLimit?: number | undefined;
  /** How many processes share the processors; each gets its part. */
  processes?: number | undefined;
  /** The program to run instead of the default. For tests. */
  readerProgram?: string | undefined;
}

/**
 * Runs reads that may take long in processes of their own, so that they do not delay other requests and can be stopped
 * when their request's time is over. Each request runs one such read at a time. A read starts after it was requested,
 * so it sees everything committed before.
 */
export class SqliteReaderPool {
  /** Idle readers, each with the timer that ends it. */
  readonly #idle = new Map<SqliteReader, NodeJS.Timeout>();
  readonly #all = new Set<SqliteReader>();
  readonly #turns: FairQueue;
  readonly #pacing = new ReaderPacing();
  #isClosed = false;

  /** `path` is the database file. Processes are started on demand; `requirePlace` throws if it would be another file. */
  constructor(
    readonly path: string,
    readonly options: ReaderOptions = {},
    private readonly requirePlace: () => void = () => {},
  ) {
    const perKey = Math.max(1, Math.floor(readersPerKey / (options.processes ?? 1)));
    this.#turns = new FairQueue(
      { atOnce: perKey + 1, perKey, perCaller: 1, waiting: readersWaiting.most, waitMillis: readersWaiting.millis },
      { busy: () => waitedError(readersWaiting.millis), over: stoppedError },
    );
  }

  /** The ids of running processes. For tests. */
  get pids(): number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? []);
  }

  async rows(sql: string, values: readonly SqliteValue[], caller: Caller | undefined): Promise<Rows> {
    return (await this.#answer({ sql, values }, caller)).rows;
  }

  query(query: SqlQuery, caller: Caller | undefined): Promise<SqlResultSet> {
    return this.#answer({ query }, caller);
  }

  /** Kills all processes; their reads fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((reader) => reader.kill()));
  }

  async #answer(read: ReaderRead, caller: Caller | undefined): Promise<SqlResultSet> {
    const answer = await this.#turns.take(caller, () => this.#ask(read, caller));
    if ('message' in answer) throw readError(answer);
    return answer;
  }

  async #ask(read: ReaderRead, caller: Caller | undefined): Promise<ReaderAnswer> {
    const reader = this.#free();
    let isStopped = false;
    const answer = reader.ask(read);
    const ignore = caller?.whenOver(() => {
      isStopped = true;
      this.#all.delete(reader);
      reader.kill().catch(() => undefined);
    });
    this.#pacing.add(reader.pausable);
    try {
      return await answer;
    } catch (error) {
      throw isStopped ? stoppedError() : error;
    } finally {
      ignore?.();
      this.#release(reader);
    }
  }

  #free(): SqliteReader {
    if (this.#isClosed) throw closedError();
    for (const [reader, ending] of this.#idle) {
      this.#idle.delete(reader);
      clearTimeout(ending);
      if (!reader.hasEnded) return reader;
      this.#all.delete(reader);
    }
    this.requirePlace();
    const started = new SqliteReader(
      this.options.readerProgram ?? readerProgram(),
      this.path,
      this.options.answerLimit,
    );
    this.#all.add(started);
    return started;
  }

  #release(reader: SqliteReader): void {
    this.#pacing.delete(reader.pausable);
    if (reader.hasEnded || !this.#all.has(reader)) return void this.#all.delete(reader);
    const end = () => {
      this.#idle.delete(reader);
      this.#all.delete(reader);
      reader.kill().catch(() => undefined);
    };
    this.#idle.set(reader, setTimeout(end, idleMillis).unref());
  }
}

/** A process that runs a long read. */
type Paced = Pick<PausableProcess, 'pause' | 'resume'>;

/** Milliseconds that the readers run and are then paused, in turns, while the gateway is busy. */
const turns = { run: 5, pause: 10 };
/** The share of its time that the event loop works, from which the gateway counts as busy. */
const busyFrom = 0.5;

/**
 * Pauses the readers for two thirds of the time while the event loop is busy with other requests. A lower priority alone
 * leaves these about half of their throughput where there are few processors: the system runs whatever is ready on a
 * processor that is free for a moment, and processors may share a core. While the loop is idle, readers run all the time.
 */
export class ReaderPacing {
  readonly #running = new Set<Paced>();
  #timer: NodeJS.Timeout | undefined;
  #lastUse = performance.eventLoopUtilization();

  /** To be called when a reader begins a read. */
  add(reader: Paced): void {
    this.#running.add(reader);
    this.#timer ??= this.#let('run');
  }

  /** To be called when a reader ended its read. */
  delete(reader: Paced): void {
    if (!this.#running.delete(reader)) return;
    reader.resume();
    if (this.#running.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #let(what: 'run' | 'pause'): NodeJS.Timeout {
    for (const reader of this.#running) what === 'run' ? reader.resume() : reader.pause();
    const next = () => {
      this.#timer = this.#let(what === 'run' && this.#isBusy() ? 'pause' : 'run');
    };
    return setTimeout(next, turns[what]).unref();
  }

  /** Whether the event loop has been busy since the last call. */
  #isBusy(): boolean {
    const use = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(use, this.#lastUse);
    this.#lastUse = use;
    return utilization >= busyFrom;
  }
}
