import type { Lease } from '../limits/rate-limit.js';

const minute = 60_000;

/** Counts in memory what each key sends in a minute of the clock, for all workers together. */
export class WorkerLeases {
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
