import { setImmediate as turn } from 'node:timers/promises';
import type { DatabaseReadings } from '../direct-access.js';
import { busyError } from './sqlite-errors.js';
import type { WriteUnit } from './sqlite-write-unit.js';
import type { WriterLimits } from './writer-limits.js';

/** A first-in, first-out queue with a limited length and waiting time; a unit that waits longer fails with P1008. */
export class WriteQueue {
  readonly #most: number;
  readonly #waitMillis: number;
  readonly #units: WriteUnit[] = [];
  readonly #commits = { groups: 0, units: 0 };
  #expiry: NodeJS.Timeout | undefined;

  constructor(most: number, waitMillis: number) {
    this.#most = most;
    this.#waitMillis = waitMillis;
  }

  get length(): number {
    return this.#units.length;
  }

  /** Adds a unit. If the queue is full, the unit fails as busy and the result is false. */
  add(unit: WriteUnit): boolean {
    if (this.#units.length >= this.#most) {
      unit.failed(busyError(0));
      return false;
    }
    this.#units.push(unit);
    this.#expiry ??= this.#expireAfter(this.#waitMillis);
    return true;
  }

  /**
   * Waits for a turn of the event loop, and for further ones while each brings more units: clients that one commit has
   * answered send their next writes together, but not in one turn.
   */
  async gather({ groupUnits, gatherMillis }: Pick<WriterLimits, 'groupUnits' | 'gatherMillis'>): Promise<void> {
    const endsAt = performance.now() + gatherMillis;
    let before: number;
    do {
      before = this.length;
      await turn();
    } while (this.length > before && this.length < groupUnits && performance.now() < endsAt);
  }

  next(): WriteUnit | undefined {
    return this.#units.shift();
  }

  /** Answers the units of a group whose commit is durable. */
  committed(group: readonly WriteUnit[]): void {
    this.#commits.groups++;
    this.#commits.units += group.length;
    for (const unit of group) unit.settled();
  }

  readings(): DatabaseReadings {
    return { waiting: this.length, commits: { ...this.#commits } };
  }

  /** Puts units of a lost group back to the front. */
  putBack(units: WriteUnit[]): void {
    this.#units.unshift(...units);
  }

  /** Fails units that have waited too long, and sets the timer for the next. */
  #expire(): void {
    const now = performance.now();
    const waitOf = (unit: WriteUnit) => now - unit.waitingSince;
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
