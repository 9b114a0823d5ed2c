/** The workers of a gateway: each has a place, and one that ends is replaced. */
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { inTime } from '../../common/timing.js';
import type { SettingTexts } from '../config/config.js';
import type { Served } from './messages.js';
import { type SharedSettings, SharedState, type WorkerChannel } from './shared-state.js';
import { environmentOf, type WorkerSelf } from './worker.js';

export interface CrewParts {
  /** The program of the command line and its arguments, with which workers are started. */
  program: { path: string; words: readonly string[] };
  settings: SharedSettings;
  /** Those that hold for all workers together. */
  kept: SettingTexts;
  /** Milliseconds after which a worker that was replaced and hangs is killed: it has had all the time that it needs to leave. */
  leaveTime: number;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called when no worker serves, and the last ones could not be started. */
  giveUp(): void;
}

/** Starts that fail one after another while no worker serves, after which the gateway gives up. */
const mostFailures = 5;
/** Milliseconds after which a worker that was told to stop is killed. */
const stopTime = 15_000;

export class Crew {
  readonly #parts: CrewParts;
  readonly #places: readonly Place[];
  readonly #shared: SharedState;
  /** All that run, also those that leave. */
  readonly #all = new Set<WorkerProcess>();
  #failedStarts = 0;
  #hasStarted = false;
  #isStopping = false;
  #isRenewing = false;
  readonly wanted: number;
  /** How many have ended without being told to. */
  replaced = 0;

  constructor(parts: CrewParts) {
    this.#parts = parts;
    this.wanted = parts.settings.workers;
    this.#shared = new SharedState(parts.settings);
    this.#places = Array.from({ length: this.wanted }, (_, index) => new Place(index + 1));
    // Each worker accepts connections itself: none passes through another process, where it would be lost, and its client
    // would wait for ever, if the worker that is to get it is killed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const { path, words } = parts.program;
    cluster.setupPrimary({ exec: path, args: [...words], ...this.#shared.seats?.inherited });
  }

  /** Those that serve, in their places. */
  get serving(): WorkerProcess[] {
    return this.#places.flatMap(({ worker }) => (worker?.servesSince === undefined || worker.hasEnded ? [] : worker));
  }

  /** Starts the first worker, and the others once it serves. Resolves with its end if it could not be started. */
  async start(): Promise<{ served: Served } | { ending: Ending }> {
    const [first, ...others] = this.#places;
    if (!first) throw new Error('There is at least one worker');
    const worker = this.#fork(first, true);
    const served = await worker.served;
    if (!served) return { ending: await worker.ended };
    this.#seat(first, worker);
    for (const place of others) this.#fill(place);
    this.#hasStarted = true;
    return { served };
  }

  /** Replaces one worker after another: each leaves when the one that takes its place serves. */
  async renew(): Promise<void> {
    const { log } = this.#parts;
    if (!this.#hasStarted) return log.warn('The workers have not started yet, so none is replaced');
    if (this.#isRenewing) return log.warn('The workers are being replaced already');
    this.#isRenewing = true;
    log.info('Every worker is replaced by a new one');
    for (const place of this.#places) {
      const next = this.#isStopping ? undefined : this.#fork(place);
      if (!next || !(await next.served)) {
        if (next && !this.#isStopping) log.error({ worker: place.number, ...(await next.ended) }, notRenewed);
        this.#isRenewing = false;
        return;
      }
      const before = place.worker;
      place.leaveFree();
      this.#seat(place, next);
      before?.leave(this.#isStopping);
      if (await before?.endedWithin(this.#parts.leaveTime)) log.error({ worker: place.number }, hung);
    }
    this.#isRenewing = false;
    log.info('Every worker was replaced');
  }

  reload(): void {
    for (const worker of this.#all) worker.reload();
  }

  /** Lets all workers finish what they have begun. Returns whether one hung, and had to be killed. */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    for (const place of this.#places) place.leaveFree();
    for (const worker of this.#all) worker.leave(true);
    const end = async (worker: WorkerProcess) => {
      const isKilled = await worker.endedWithin(stopTime);
      if (isKilled) this.#parts.log.error({ worker: worker.self.number, pid: worker.pid }, hungAtStop);
      return isKilled;
    };
    return (await Promise.all([...this.#all].map(end))).includes(true);
  }

  #fork({ number }: Place, isFirst = false): WorkerProcess {
    const seat = this.#shared.seats?.take();
    const { isOverwritten } = this.#shared;
    const opened = this.serving.length > 0 ? this.#shared.opened : undefined;
    const self = { number, isFirst, opened, isOverwritten, kept: this.#parts.kept, seat };
    const worker = new WorkerProcess(cluster.fork(environmentOf(self)), self, this.#shared);
    this.#all.add(worker);
    void worker.ended.then(() => {
      this.#all.delete(worker);
      if (seat) this.#shared.seats?.leave(seat);
    });
    void worker.served.then((served) => {
      if (!served) return;
      this.#failedStarts = 0;
      this.#parts.log.info({ worker: number, pid: worker.pid }, 'A worker serves');
    });
    return worker;
  }

  #fill(place: Place): void {
    this.#seat(place, this.#fork(place));
  }

  /** Gives the place to a worker, and to another one when that has ended. */
  #seat(place: Place, worker: WorkerProcess): void {
    place.worker = worker;
    void worker.ended.then((ending) => this.#free(place, worker, ending));
  }

  #free(place: Place, worker: WorkerProcess, ending: Ending): void {
    if (this.#isStopping || place.worker !== worker) return;
    const { log, giveUp } = this.#parts;
    const isFailedStart = worker.servesSince === undefined;
    if (isFailedStart && ++this.#failedStarts >= mostFailures && this.serving.length === 0) return giveUp();
    const pause = place.fillLater(() => this.#fill(place));
    this.replaced++;
    log.error(
      { worker: place.number, pid: worker.pid, ...ending, pause },
      'A worker has ended; another takes its place',
    );
  }
}

const hungAtStop = 'A worker has not ended in time, and was killed';
const hung = 'A worker that was replaced has not ended in time, and was killed';
const notRenewed = 'A new worker could not be started, so no more are replaced; those that serve go on';

/** Milliseconds: a worker that served for so long has not failed at its start. */
const soundAfter = 10_000;
/** Milliseconds before a place is filled again: at once, then longer and longer where workers end again and again. */
const pauses = { second: 250, longest: 30_000 };

/** A place of a gateway, which one worker after another may have. */
class Place {
  worker: WorkerProcess | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly number: number) {}

  /** The place is free: calls `fill` after a pause. Returns the pause in milliseconds. */
  fillLater(fill: () => void): number {
    const since = this.worker?.servesSince;
    if (since !== undefined && performance.now() - since >= soundAfter) this.#failures = 0;
    const failures = this.#failures++;
    const pause = failures === 0 ? 0 : Math.min(pauses.longest, pauses.second * 2 ** (failures - 1));
    this.worker = undefined;
    this.#timer = setTimeout(fill, pause);
    return pause;
  }

  leaveFree(): void {
    clearTimeout(this.#timer);
  }
}

interface Ending {
  code: number | null;
  signal: string | null;
}

/** Milliseconds that a worker may take to report. */
const reportTime = 2_000;

/** A worker, as the primary process sees it. */
class WorkerProcess {
  /** Resolves once it serves, or with undefined if it ends before. */
  readonly served: Promise<Served | undefined>;
  readonly ended: Promise<Ending>;
  /** A time of `performance.now()`. */
  servesSince: number | undefined;
  hasEnded = false;
  readonly #channel: WorkerChannel;

  constructor(
    private readonly worker: Worker,
    readonly self: WorkerSelf,
    shared: SharedState,
  ) {
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code, signal) => {
        this.hasEnded = true;
        resolve({ code, signal });
      });
    });
    // A process that could not be started, or a channel that is closed: its end follows.
    worker.on('error', () => undefined);
    this.#channel = shared.join(worker.process, this.ended);
    const served = new Promise<Served>((resolve) => {
      this.#channel.add({
        served: (told) => {
          this.servesSince = performance.now();
          resolve(told);
        },
      });
    });
    this.served = Promise.race([served, this.ended.then(() => undefined)]);
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /** What a feature of it reports by this name; undefined if it does not in time. */
  report(name: string): Promise<string | undefined> {
    const told = this.#channel.ask('report', [name], AbortSignal.timeout(reportTime)).catch(() => undefined);
    return Promise.race([told, this.ended.then(() => undefined)]);
  }

  /** Lets it read its settings again. One that does not serve yet may have read them before they changed. */
  reload(): void {
    void this.served.then(() => this.#channel.tell('reload'));
  }

  /** Lets it finish what it has begun. One that does not serve yet has begun nothing. */
  leave(isStop: boolean): void {
    if (this.servesSince === undefined) this.kill('SIGTERM');
    else this.#channel.tell('leave', isStop);
  }

  /** Resolves when it has ended, with whether it had to be killed because it took longer. */
  async endedWithin(milliseconds: number): Promise<boolean> {
    const isKilled = await inTime(
      this.ended.then(() => false),
      milliseconds,
      () => {
        this.kill('SIGKILL');
        return true;
      },
    );
    await this.ended;
    return isKilled;
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal);
  }
}
