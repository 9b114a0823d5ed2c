import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A child process that can be paused in the middle of a statement. The system lets it go on when this process ends in
 * whatever way, so that a paused process never stays behind with its locks.
 */
export class PausableProcess {
  readonly #process: ChildProcess;
  /** Waits for the end of this process, and then lets the child go on. Started with the first pause. */
  #keeper: ChildProcess | undefined;
  #isKept = false;
  #isPaused = false;

  constructor(process: ChildProcess) {
    this.#process = process;
    process.once('exit', () => this.#keeper?.kill('SIGKILL'));
  }

  /** Does nothing where the system has no shell to let the child go on, or has not started it yet. */
  pause(): void {
    this.#keeper ??= this.#keep();
    if (this.#isKept && !this.#isPaused) this.#isPaused = this.#process.kill('SIGSTOP');
  }

  resume(): void {
    if (this.#isPaused) this.#process.kill('SIGCONT');
    this.#isPaused = false;
  }

  #keep(): ChildProcess {
    // `read` ends when the system closes the pipe, which it does when this process ends.
    const keeper = spawn(
      '/bin/sh',
      ['-c', 'trap "" INT TERM HUP; read -r end; kill -CONT "$0"', `${this.#process.pid}`],
      {
        env: {},
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    const setKept = (isKept: boolean) => {
      this.#isKept = isKept;
      if (!isKept) this.resume();
    };
    keeper.once('spawn', () => setKept(true));
    keeper.once('exit', () => setKept(false));
    keeper.on('error', () => setKept(false));
    keeper.stdin.on('error', () => {});
    if ('unref' in keeper.stdin && typeof keeper.stdin.unref === 'function') keeper.stdin.unref();
    keeper.unref();
    return keeper;
  }
}
