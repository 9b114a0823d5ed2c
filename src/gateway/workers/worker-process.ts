import type { Worker } from 'node:cluster';
import { type FromWorker, isFromWorker, type Served, type ToWorker } from './messages.js';
import { PendingAnswers } from './pending-answers.js';
import type { WorkerSelf } from './worker-self.js';

/** How a worker has ended. */
export interface Ending {
  code: number | null;
  signal: string | null;
}

/** Milliseconds that a worker may take to report its metrics. */
const metricsTime = 2_000;

/** A worker, as the primary process sees it. */
export class WorkerProcess {
  /** Resolves once it serves, or with undefined if it ends before. */
  readonly served: Promise<Served | undefined>;
  readonly ended: Promise<Ending>;
  /** A time of `performance.now()`. */
  servesSince: number | undefined;
  hasEnded = false;
  readonly #metrics = new PendingAnswers<string>();

  constructor(
    private readonly worker: Worker,
    readonly self: WorkerSelf,
    onMessage: (message: FromWorker) => void,
  ) {
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code, signal) => {
        this.hasEnded = true;
        resolve({ code, signal });
      });
    });
    let resolveServed: (served: Served) => void = () => {};
    const served = new Promise<Served>((resolve) => {
      resolveServed = resolve;
    });
    this.served = Promise.race([served, this.ended.then(() => undefined)]);
    // A process that could not be started, or a channel that is closed: its end follows.
    worker.on('error', () => undefined);
    worker.on('message', (message) => {
      if (!isFromWorker(message)) return;
      if (message.kind === 'metrics') return this.#metrics.answer(message.id, message.text);
      if (message.kind !== 'served') return onMessage(message);
      this.servesSince = performance.now();
      resolveServed(message.served);
    });
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  send(message: ToWorker): void {
    if (this.worker.isConnected()) this.worker.process.send(message, undefined, undefined, () => undefined);
  }

  /** Its metrics; undefined if it does not report them in time. */
  async metrics(): Promise<string | undefined> {
    let asked = 0;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.#metrics.forget(asked);
        resolve(undefined);
      }, metricsTime);
    });
    const told = this.#metrics.ask((id) => {
      asked = id;
      this.send({ kind: 'metrics wanted', id });
    });
    const text = await Promise.race([told, late, this.ended.then(() => undefined)]);
    clearTimeout(timer);
    return text;
  }

  /** Lets it finish what it has begun. One that does not serve yet has begun nothing. */
  leave(isStop: boolean): void {
    if (this.servesSince === undefined) this.kill('SIGTERM');
    else this.send({ kind: 'leave', isStop });
  }

  /** Resolves when it has ended, with whether it had to be killed because it took longer. */
  async endedWithin(milliseconds: number): Promise<boolean> {
    let isKilled = false;
    const late = setTimeout(() => {
      isKilled = true;
      this.kill('SIGKILL');
    }, milliseconds);
    await this.ended;
    clearTimeout(late);
    return isKilled;
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal);
  }
}
