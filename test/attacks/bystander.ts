/** A bystander: a client in its own process that keeps reading one URL during an attack and measures its waits. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Waits {
  /** Milliseconds of each request. */
  times: number[];
  /** Answers other than 200, and requests without any. */
  failed: number;
}

export class Bystander {
  readonly #child: ChildProcess;

  /** Reads `url` with the key from now on, over some connections, with a pause of milliseconds after each answer. */
  constructor(url: string, key: string, { connections = 4, pause = 5 } = {}) {
    const script = fileURLToPath(new URL('bystander-process.ts', import.meta.url));
    this.#child = fork(script, [url, key, String(connections), String(pause)], { execArgv: ['--import', 'tsx'] });
  }

  /** How long its requests took while `work` was under way. */
  async during(work: Promise<unknown>): Promise<Waits> {
    this.#child.send('begin');
    await work;
    this.#child.send('end');
    const [waits] = await once(this.#child, 'message');
    return waits;
  }

  end(): void {
    this.#child.kill();
  }
}

/** The time that 99 of 100 stay below. */
export function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

export function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
}
