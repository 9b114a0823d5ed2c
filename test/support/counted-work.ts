/** Counts the work of this process: how often V8 enters the functions, branches and loops of some files. */
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface CountedWork {
  /** How often the code was entered while `work` ran. */
  of(work: () => Promise<unknown>): Promise<number>;
  end(): void;
}

/** Counts in the scripts whose addresses `counts`. */
export async function countWork(counts: (url: string) => boolean): Promise<CountedWork> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  forgetCompiledCode();
  return {
    async of(work) {
      // What was counted before is forgotten.
      await session.post('Profiler.takePreciseCoverage');
      await work();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const functions = result.filter(({ url }) => counts(url)).flatMap((script) => script.functions);
      return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
    },
    end: () => session.disconnect(),
  };
}

/**
 * Makes V8 compile all functions again: it counts only in what is compiled after counting began, and test files that
 * share a process have compiled most of it before.
 */
function forgetCompiledCode(): void {
  setFlagsFromString('--flush-baseline-code');
  setFlagsFromString('--stress-flush-code');
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  setFlagsFromString('--no-stress-flush-code');
}
