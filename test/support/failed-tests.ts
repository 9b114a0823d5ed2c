import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node';

/**
 * Lists all failures in the last lines of a run, each with the first line of the reason, so that it is enough to read
 * the end.
 */
export default class FailedTests implements Reporter {
  readonly #begun = new Set<TestCase>();
  #planned: readonly TestSpecification[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#planned = specifications;
  }

  onTestCaseReady(test: TestCase): void {
    this.#begun.add(test);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const unfinishedTests = [...this.#begun].filter((test) => test.result().state === 'pending');
    const begun = new Set(modules.map(({ moduleId }) => moduleId));
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unfinishedTests.map((test) => `${nameOf(test)}: ${unfinished}`),
      ...modules.filter((module) => unfinishedTests.every((test) => test.module !== module)).flatMap(unfinishedFile),
      ...this.#planned.filter(({ moduleId }) => !begun.has(moduleId)).map(notRun),
      ...unhandled.map((error) => `outside of the tests: ${why(error)}`),
    ];
    if (failures.length === 0) return;
    process.stdout.write(`\nFailed:\n${failures.map((line) => `  ${line}\n`).join('')}`);
  }
}

/** A file whose process ended: it was killed, ran out of memory, or exited. */
function unfinishedFile(module: TestModule): string[] {
  const state = module.state();
  if (state === 'queued') return [notRun(module)];
  return state === 'pending' ? [`${module.relativeModuleId}: ${unfinished}`] : [];
}

/** The files behind one whose process ended. */
const notRun = ({ moduleId }: Pick<TestModule, 'moduleId'>): string =>
  `${relative(process.cwd(), moduleId)}: it was not run, because its process ended before`;

const unfinished = 'its process ended before it did';

/** Tests, and whatever failed beside them: a hook of a suite, or a file that does not load. */
function failuresOf(module: TestModule): string[] {
  const file = module.relativeModuleId;
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => `${file} > ${suite.fullName}: ${why(error)}`),
  );
  const tests = [...module.children.allTests('failed')].map(
    (test) => `${nameOf(test)}: ${why(test.result().errors?.[0])}`,
  );
  return [...module.errors().map((error) => `${file}: ${why(error)}`), ...suites, ...tests];
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

/** `Transform failed with 1 error:` and the like say more in their second line. */
function why(error: Pick<SerializedError, 'message'> | undefined): string {
  const [first = 'it did not say why', second] = (error?.message ?? '').split('\n').filter((line) => line.trim());
  return first.endsWith(':') && second ? `${first} ${second.trim()}` : first;
}
