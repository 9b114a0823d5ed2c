import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Names all that failed in the last lines of a run, each with the first line of why, so that its end is enough to read. */
export default class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map((error) => `outside of the tests: ${why(error)}`),
    ];
    if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((line) => `  ${line}\n`).join('')}`);
  }
}

/** Tests, and whatever failed beside them: a hook of a suite, or a file that does not load. */
function failuresOf(module: TestModule): string[] {
  const file = module.relativeModuleId;
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => `${file} > ${suite.fullName}: ${why(error)}`),
  );
  const tests = [...module.children.allTests('failed')].map(
    (test) => `${file} > ${test.fullName}: ${why(test.result().errors?.[0])}`,
  );
  return [...module.errors().map((error) => `${file}: ${why(error)}`), ...suites, ...tests];
}

function why(error: Pick<SerializedError, 'message'> | undefined): string {
  return error?.message.split('\n')[0] ?? 'it did not say why';
}
