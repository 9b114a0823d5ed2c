/** A task that waits for its turn. */
export interface QueuedTask {
  begin(): void;
  fail(error: Error): void;
}

/**
 * Work that has a limit of its own, such as that of a request. A lane may be inside of another one, such as that of a
 * key, whose limit then holds too. The lanes inside of the same lane take turns.
 */
export class Lane {
  readonly tasks: QueuedTask[] = [];
  underWay = 0;
  /** Lanes inside of this one that may begin something, in the order of their turns. Created for the first one. */
  #ready: Set<Lane> | undefined;
  /** Whether the lane around this one has it in `#ready`. */
  #isQueued = false;

  /** `most` is how much may be under way at the same time; `owner` is whose work it is. */
  constructor(
    private readonly most: number,
    readonly outer?: Lane,
    readonly owner?: unknown,
  ) {}

  /** Whether something waits here that this lane's own limit allows to begin. */
  get isReady(): boolean {
    return this.underWay < this.most && !this.#isEmpty;
  }

  get isIdle(): boolean {
    return this.underWay === 0 && this.#isEmpty;
  }

  get #isEmpty(): boolean {
    return this.tasks.length === 0 && (this.#ready === undefined || this.#ready.size === 0);
  }

  /** Called after each change: takes the last place among the lanes beside it, keeps its place, or leaves it. */
  update(): void {
    const { outer, isReady } = this;
    if (!outer || isReady === this.#isQueued) return;
    this.#isQueued = isReady;
    outer.#ready ??= new Set();
    if (isReady) outer.#ready.add(this);
    else outer.#ready.delete(this);
    outer.update();
  }

  /** The next task, which counts as under way here and in the lanes inside that it comes from; undefined if none may begin. */
  next(): QueuedTask | undefined {
    if (!this.isReady) return undefined;
    this.underWay++;
    const inner = this.#ready?.values().next().value;
    if (!inner) return this.tasks.shift();
    this.#ready?.delete(inner);
    inner.#isQueued = false;
    const task = inner.next();
    inner.update();
    return task;
  }

  /** A task of this lane has ended. */
  end(): void {
    this.underWay--;
    this.outer?.end();
    this.update();
  }
}
