/**
 * Test files that take long because they start browsers, processes and random tests by the dozen. A run of all files asks
 * one of each row, tomorrow the next one; `.ci/run`, `npm run test:thorough` and who names the files of a run ask them all.
 */
import { allCases, hasTurn } from './thorough.js';

/**
 * What takes turns within a file takes two, three or four days, so it stands in a row of another length: otherwise some of
 * it would have its turn only when the file has not.
 */
export const rowsInTurn = [
  ['browser/pages', 'browser/repair-desk'],
  ['start/npm-run-dev', 'start/npm-start', 'database/migration-command'],
  ['start/log-readers', 'answers/memory', 'access/canary'],
  ['access/two-processes', 'idempotency/two-processes', 'database/lazy-prisma'],
  ['journal/as-of-random', 'compiled/differential', 'input/property'],
  ['clients/codegen', 'clients/openapi', 'clients/relay/relay'],
  ['database/long-reads', 'database/sqlite-lock'],
  ['house/expressions', 'database/postgresql-trouble'],
].map((names) => names.map((name) => `test/${name}.test.ts`));

/** Those whose turn it is not. */
export const filesLeftOut: readonly string[] = allCases
  ? []
  : rowsInTurn.flatMap((files) => files.filter((_, index) => !hasTurn(index, files.length)));
