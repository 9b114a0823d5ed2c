import type { Lane } from './lane.js';

/** The lanes that wait for a turn, and since when. Those that have waited too long are refused. */
export class WaitingLanes {
  /** By `performance.now()`, the longest wait first. */
  readonly #since = new Map<Lane, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly most: number,
    private readonly refuse: (lane: Lane) => void,
  ) {}

  get size(): number {
    return this.#since.size;
  }

  has(lane: Lane): boolean {
    return this.#since.has(lane);
  }

  add(lane: Lane): void {
    if (this.#since.has(lane)) return;
    this.#since.set(lane, performance.now());
    if (Number.isFinite(this.most)) this.#timer ??= this.#after(this.most);
  }

  delete(lane: Lane): void {
    this.#since.delete(lane);
  }

  #after(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#refuseLate(), Math.max(1, milliseconds)).unref();
  }

  /** Sets the timer for the next one, too. */
  #refuseLate(): void {
    const now = performance.now();
    this.#timer = undefined;
    for (const [lane, since] of this.#since) {
      const left = since + this.most - now;
      if (left > 0) {
        this.#timer ??= this.#after(left);
        return;
      }
      this.#since.delete(lane);
      this.refuse(lane);
    }
  }
}
