/**
 * Options of Node for processes that live for seconds or minutes: V8 optimizes a function only after it has run far more
 * often than usual. Most functions of a test run never repay their optimization, which took a tenth of its time.
 */
export const v8Flags = ['--interrupt-budget=1000000'];
