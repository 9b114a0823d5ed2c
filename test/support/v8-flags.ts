/**
 * Options of Node for processes that live for seconds or minutes: V8 optimizes a function only after it has run far more
 * often than usual; later versions of Node than 20 have no such option. Most functions of a test run never repay their optimization, which took a tenth of its time.
 */
export const v8Flags = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];
