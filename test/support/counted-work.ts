/** Counts the work of this process: how often V8 enters the functions, branches and loops of some files. */
import { Session } from 'node:inspector/promises';

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
