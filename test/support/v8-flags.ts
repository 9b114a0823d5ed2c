/**
 * Options of Node for processes that live for seconds or minutes: V8 optimizes a function only after it has run much
 * more often than by default (only in Node 20). Optimizing took a tenth of the time of a test run, and most functions
 * do not run often enough to gain from it.
 */
export const v8Flags = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];
