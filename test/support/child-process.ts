import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

/** A process of its own that runs `<name>-process.ts`, a file beside this one. Ends with the test at the latest. */
export function startChild(name: 'counting' | 'locking', ...args: string[]): Child {
  const path = join(inject('testRun').built, 'test/support', `${name}-process.js`);
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return new Child(child);
}

/** A child process that talks in lines. */
export class Child {
  readonly #process: ChildProcess;
  #output = '';

  constructor(child: ChildProcess) {
    this.#process = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  /** Resolves once the child has written `text`. */
  async says(text: string): Promise<void> {
    while (!this.#output.includes(text)) await once(this.#process.stdout ?? this.#process, 'data');
  }

  /** Tells the child to go on. */
  tell(text: string): void {
    this.#process.stdin?.write(`${text}\n`);
  }

  /** All that the child wrote, once it has ended. */
  async ends(): Promise<string> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'close');
    return this.#output;
  }
}
