/**
 * Preloaded into a gateway (`node --import`): tells its parent which functions of its own the gateway enters, and which
 * statements it runs on SQLite, between two messages.
 */
import { Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-library.js';

/** What one trip took. */
export interface Counted {
  /** `src/file.ts name@offset` of each function. */
  functions: string[];
  statements: string[];
}

const root = new URL('../../', import.meta.url).href;
/** One that only begins or ends a transaction is not counted: how many there are depends on what runs at the same time. */
const control = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i;

let statements: string[] = [];
const memory = new (sqliteLibrary())(':memory:');
const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1'));
memory.close();
for (const name of ['run', 'get', 'all', 'iterate']) {
  const method: (...values: unknown[]) => unknown = prototype[name];
  prototype[name] = function (this: Database.Statement, ...values: unknown[]) {
    statements.push(this.source);
    return method.apply(this, values);
  };
}

/** Since the first trip, work in the background waits: what a timer does meanwhile is no part of a trip. */
let isCounting = false;
const { setTimeout: sleep } = timers;
const { setInterval: every } = globalThis;
Object.assign(timers, {
  setTimeout: (delay: number, value: unknown, options: object) =>
    sleep(isCounting ? 1000 * delay : delay, value, options),
});
syncBuiltinESMExports();
Object.assign(globalThis, {
  setInterval: (work: () => void, delay: number) => every(() => isCounting || work(), delay),
});

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', async () => {
  isCounting = true;
  // The client has its answer before the last of the work is done, such as writing the log.
  do await sleep(10);
  while (process.getActiveResourcesInfo().includes('FSReqCallback'));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result
    .filter(({ url }) => url.startsWith(`${root}src/`) || url.startsWith(`${root}rest/`))
    .flatMap(({ url, functions }) =>
      functions
        // `__name` is what the transpiler adds to files.
        .filter(({ functionName, ranges }) => functionName !== '__name' && ranges.some(({ count }) => count > 0))
        .map(({ functionName, ranges }) => `${url.slice(root.length)} ${functionName}@${ranges[0]?.startOffset}`),
    );
  const counted: Counted = { functions, statements: statements.filter((sql) => !control.test(sql)) };
  statements = [];
  process.send?.(counted);
});
process.channel?.unref();
