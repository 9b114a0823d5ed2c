import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinned } from '../processors.js';
import type { LoadOrder, LoadResult } from './protocol.js';

/** The process that sends requests, pinned to the load's processor. */
export class Load {
  readonly #child: ChildProcess;

  constructor() {
    const file = fileURLToPath(new URL('process.js', import.meta.url));
    const [program = '', ...args] = pinned('load', [process.execPath, file]);
    this.#child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  async run(order: LoadOrder): Promise<LoadResult> {
    const ended = new AbortController();
    const died = once(this.#child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('The load process ended');
    });
    died.catch(() => undefined);
    try {
      this.#child.send(order);
      const [result] = await Promise.race([once(this.#child, 'message'), died]);
      return result;
    } finally {
      ended.abort();
    }
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
