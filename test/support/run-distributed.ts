/**
 * `npm run test:distributed`: runs the suites that apply to the profile `distributed` on it, behind a proxy that makes
 * statements conflict. Suites that count statements or attempts do not apply, because a repeated one is counted again.
 */
import { spawnSync } from 'node:child_process';

const suites = [
  // Every 23rd statement of the whole contract fails.
  { oneIn: '23', files: ['test/contract'] },
  // Some transactions of these have more statements than that, and would never succeed.
  {
    oneIn: '211',
    files: [
      'test/features/idempotency/two-processes.slow.test.ts',
      'test/features/idempotency/what-is-kept.test.ts',
      'test/journal/entries.test.ts',
      'test/features/history/history.test.ts',
      'test/journal/positions.slow.test.ts',
      'test/features/history/as-of.slow.test.ts',
      'test/features/live/streams.test.ts',
      'test/features/live/resuming.slow.test.ts',
    ],
  },
];
const reporters = ['--reporter=dot', '--reporter=test/support/failed-tests.ts'];
for (const { oneIn, files } of suites) {
  const env = { ...process.env, DISTRIBUTED: 'true', CONFLICT_ONE_IN: oneIn };
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...files];
  if (spawnSync(process.execPath, words, { env, stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}
