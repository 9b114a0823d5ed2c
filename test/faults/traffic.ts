/** Clients that keep writing and reading whatever happens, and count the answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { workers } from './fault.js';
import type { GatewayProcess } from './gateway-process.js';

const categories = '/api/stock/u-o-m-category';

export class Traffic {
  /** How many answers there were of each status; 0 counts requests without an answer. */
  readonly statuses = new Map<number, number>();
  readonly codes = new Set<string>();
  readonly acknowledged: string[] = [];
  readonly #successes: number[] = [];
  #lastRefusal = 0;
  readonly #clients: Promise<void>;
  #going = true;

  constructor(gateway: GatewayProcess, writers = 8, readers = 2) {
    this.#clients = workers(writers + readers, async (client) => {
      const answer = await (client < writers
        ? gateway.send('POST', categories, { category_name: 'x' })
        : gateway.send('GET', categories)
      ).catch(() => ({ status: 0, body: undefined }));
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 201) this.acknowledged.push(answer.body.id);
      if (answer.status !== 200 && answer.status !== 201) {
        this.#lastRefusal = performance.now();
        this.codes.add(String(answer.body?.error?.code));
        await sleep(20);
      } else this.#successes.push(performance.now());
      return this.#going;
    });
  }

  count(...statuses: number[]): number {
    return statuses.reduce((sum, status) => sum + (this.statuses.get(status) ?? 0), 0);
  }

  /** Answers other than success and 503. */
  get others(): number {
    return [...this.statuses].reduce((sum, [status, times]) => sum + ([200, 201, 503].includes(status) ? 0 : times), 0);
  }

  /** Milliseconds from `time` until every answer was a success; Infinity where none was. */
  servedAgainAfter(time: number): number {
    const from = Math.max(time, this.#lastRefusal);
    const first = this.#successes.find((at) => at > from);
    return first === undefined ? Number.POSITIVE_INFINITY : first - time;
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#clients;
  }
}
