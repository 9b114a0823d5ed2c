/** How the primary process and its workers call each other: by the name of a function of the other, with its values. */
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../common/is-object.js';
import type { Lease } from '../limits/rate-limit.js';
import type { PlaceAnswer } from '../limits/stream-places.js';

/** What a worker reports once it serves. */
export interface Served {
  address: AddressInfo;
  /** Whether the database was empty before. */
  isNew: boolean;
  /** The first key, if the worker has made one. */
  madeKey?: string | undefined;
}

/** What a worker calls. What is asked is answered. `newest` is the newest id of a record that the caller knows of. */
export interface PrimaryCalls {
  served(served: Served): void;
  wantTurn(): void;
  endTurn(newest: string): void;
  committed(newest: string): void;
  overwritten(): void;
  /** Which files of an SQLite database the worker has open. */
  opened(files: string): void;
  lease(keyId: string, wanted: number): Promise<Lease>;
  takePlace(keyId: string): Promise<PlaceAnswer>;
  leavePlace(keyId: string): void;
  placesOf(keyId: string): Promise<number>;
}

/** What the primary process calls. */
export interface WorkerCalls extends Orders {
  /** `isWanted` says whether another worker already waits for the turn. */
  turn(isWanted: boolean, newest: string): void;
  turnWanted(): void;
  committed(newest: string): void;
  overwritten(): void;
}

/** What a worker does once it serves. */
export interface Orders {
  reload(): void;
  /** The whole gateway stops, or only this worker, whose place another one has taken. */
  leave(isStop: boolean): void;
  /** What a feature of it reports by this name. */
  report(name: string): Promise<string | undefined>;
}

/** The other process: `process` of a worker, or the worker as a child of the primary process. */
export interface OtherEnd {
  readonly connected: boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send?(message: object, handle: undefined, options: undefined, done: () => void): boolean;
}

/** One end of the channel between two processes, which run the same build: what arrives has the types of what was called. */
export class Channel<Ours extends object, Theirs extends Record<keyof Theirs, (...values: never[]) => unknown>> {
  readonly #ours: object = {};
  readonly #answers = new EventEmitter().setMaxListeners(0);
  #asked = 0;

  constructor(
    private readonly other: OtherEnd,
    ours: Partial<Ours>,
  ) {
    this.add(ours);
    other.on('message', (message) => {
      if (isObject(message)) this.#take(message);
    });
  }

  /** From now on these are there to be called, too. */
  add(calls: Partial<Ours>): void {
    Object.assign(this.#ours, calls);
  }

  tell<Name extends keyof Theirs>(call: Name, ...values: Parameters<Theirs[Name]>): void {
    this.#send({ call, values });
  }

  /** What the other process answers. @throws if it fails there, and AbortError when it is not waited for any more */
  async ask<Name extends keyof Theirs>(
    call: Name,
    values: Parameters<Theirs[Name]>,
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    const id = String(++this.#asked);
    this.#send({ call, values, id });
    const [answer, fault] = await once(this.#answers, id, { signal });
    if (fault) throw new Error(fault);
    return answer;
  }

  #take({ call, values, id, answer, fault }: Record<string, unknown>): void {
    if (typeof call !== 'string') return void this.#answers.emit(String(id), answer, fault);
    const act = (): unknown => Reflect.get(this.#ours, call)?.(...[values].flat());
    if (!id) return void act();
    // Whatever happens is answered: the other process waits for it.
    new Promise((resolve) => resolve(act())).then(
      (answer) => this.#send({ id, answer }),
      (error) => this.#send({ id, fault: String(error) }),
    );
  }

  #send(message: object): void {
    // Without the primary process a worker ends too, and the end of a worker is heard in another way.
    if (this.other.connected) this.other.send?.(message, undefined, undefined, () => undefined);
  }
}
