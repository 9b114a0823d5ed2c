/**
 * Ends the process of a test file that has been silent for very long. Vitest limits the time of each test by a timer,
 * but code that never yields the processor, or that waits synchronously for a program, never sees a timer, so the run
 * would not end.
 */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { runningProcesses } from './running-processes.js';

/** Milliseconds: more than any test or hook may take, and how often it is looked. */
const patience = Number(process.env.SILENT_FILES_AFTER ?? 420_000);
const lookEvery = Math.min(patience / 10, 10_000);

/** The beginning of the name of a process that runs a test file. */
export const titleOf = (file = 'no file'): string => `vitest ${relative(process.cwd(), file)}`;

export default class SilentFiles implements Reporter {
  /**
   * The number of checks since the last sign of a file. Checks are counted instead of time, because a machine may
   * sleep.
   */
  readonly #looks = new Map<string, number>();
  #looking: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#looking = setInterval(() => this.#look(), lookEvery).unref();
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#looks.set(moduleId, 0);
  }

  onTestModuleCollected(module: TestModule): void {
    this.onTestModuleQueued(module);
  }

  onTestCaseReady({ module }: TestCase): void {
    this.onTestModuleQueued(module);
  }

  onTestCaseResult({ module }: TestCase): void {
    this.onTestModuleQueued(module);
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#looks.delete(moduleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#looking);
  }

  #look(): void {
    const running = runningProcesses();
    for (const [file, before] of this.#looks) {
      const own = running.find(({ parent, command }) => parent === process.pid && command.startsWith(titleOf(file)));
      // A file that waits for its turn is silent as long as that takes.
      const looks = own ? before + 1 : 0;
      this.#looks.set(file, looks);
      if (!own || looks * lookEvery < patience) continue;
      const started = running.filter(({ parent }) => parent === own.pid).map(({ command }) => command.slice(0, 100));
      const waits = started.length > 0 ? ` which has started ${started.join('; ')}` : '';
      process.stdout.write(`\nNothing heard for ${patience / 1000} s, ended: ${own.command.trim()}${waits}\n`);
      process.kill(own.pid, 'SIGKILL');
    }
  }
}
