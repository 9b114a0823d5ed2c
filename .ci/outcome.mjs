/**
 * What the JSON reports of vitest say of a run. Called with a report, and with that of the files that were asked again
 * because they failed in it, where there is one: what failed first and held the second time is named, and counts as held.
 *
 *     node .ci/outcome.mjs files REPORT           the files that failed, a line each
 *     node .ci/outcome.mjs names REPORT [AGAIN]   what failed, and what held only when it was asked again
 *     node .ci/outcome.mjs totals REPORT [AGAIN]  `passed failed`
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [, , command, ...reports] = process.argv;
const [first, again] = reports.map(resultsIn);
const results = new Map([...first, ...(again ?? [])]);

if (command === 'files') for (const [file] of failures(first)) console.log(file);
if (command === 'names') {
  for (const [file, test] of failures(results)) for (const name of test) console.log(`FAILED ${file}: ${name}`);
  for (const [file, test] of failures(first)) {
    const still = new Map(failures(results)).get(file) ?? [];
    for (const name of test.filter((each) => !still.includes(each)))
      console.log(`HELD ONLY WHEN ASKED AGAIN ${file}: ${name}`);
  }
}
if (command === 'totals') {
  const tests = [...results.values()].flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter((each) => each.status === 'passed' && !isFailure(each)).length;
  console.log(
    passed,
    failures(results).reduce((sum, [, names]) => sum + names.length, 0),
  );
}

/** Results by file; none where the report is empty, because the run came to no end. */
function resultsIn(path) {
  const { testResults = [] } = JSON.parse(readFileSync(path, 'utf8') || '{}');
  return new Map(testResults.map((result) => [relative(process.cwd(), result.name), result]));
}

/** A title with `NaN` was made from a number that nobody has: whatever is asked there is not what it says. */
function isFailure({ status, fullName }) {
  return status === 'failed' || /\bNaN\b/.test(fullName);
}

/** The files that failed, with the tests in them that did; with the reason where the file itself failed. */
function failures(results) {
  return [...results].flatMap(([file, { status, message, assertionResults }]) => {
    const tests = assertionResults.filter(isFailure).map(({ fullName }) => fullName);
    if (tests.length > 0) return [[file, tests]];
    return status === 'failed' ? [[file, [message.split('\n')[0]]]] : [];
  });
}
