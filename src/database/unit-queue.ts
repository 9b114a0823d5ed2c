import { busyError } from './sqlite-errors.js';
import type { Unit } from './sqlite-unit.js';

/** First come, first served, for a bounded number of units and a bounded time: whoever waits longer fails with P1008. */
export class UnitQueue {
  readonly #most: number;
  readonly #waitMillis: number;
  readonly #units: Unit[] = [];
  #expiry: NodeJS.Timeout | undefined;

  constructor(most: number, waitMillis: number) {
    this.#most = most;
    this.#waitMillis = waitMillis;
  }

  get length(): number {
    return this.#units.length;
  }

  /** False, with the unit failed as busy, when the queue is full. */
  add(unit: Unit): boolean {
    if (this.#units.length >= this.#most) {
      unit.failed(busyError(0));
      return false;
    }
    this.#units.push(unit);
    this.#expiry ??= this.#expireAfter(this.#waitMillis);
    return true;
  }

  next(): Unit | undefined {
    return this.#units.shift();
  }

  /** To the front, for those who had their turn and lost it. */
  putBack(units: Unit[]): void {
    this.#units.unshift(...units);
  }

  /** Fails the units that have waited too long, and looks again when the next one will have. */
  #expire(): void {
    const now = performance.now();
    const waitOf = (unit: Unit) => now - unit.waitingSince;
    while (this.#units[0] && waitOf(this.#units[0]) >= this.#waitMillis) {
      const unit = this.#units.shift();
      unit?.failed(busyError(waitOf(unit)));
    }
    const [first] = this.#units;
    this.#expiry = first && this.#expireAfter(this.#waitMillis - waitOf(first));
  }

  #expireAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), Math.max(1, milliseconds)).unref();
  }
}
