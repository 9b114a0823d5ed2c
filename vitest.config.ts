import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Each of these files has a process of its own: those that act as another user, stop a server,
 * count what a process does once, or drive Prisma's migration engine, which stays broken in a process where it once
 * panicked. All others share a few, because loading the gateway takes longer than most of their files.
 */
const alone = [
  'test/bench/guard.test.ts',
  'test/database/{migrations,open,postgresql-session,postgresql-trouble,start-errors}.test.ts',
];

// Not inherited by extending: the root's set-up runs once, that of its projects once each.
const common = {
  resolve: {
    // One copy of graphql: vitest would load its ES modules, the libraries its CommonJS, and each refuses the other's types.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  // What hangs is to fail; what takes its turn on a machine that has other things to do is not.
  test: {
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/test-run.ts'],
    reporters: ['default', 'test/support/failed-tests.ts'],
    // One more than there are processors: many tests wait for processes, locks and clocks.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { ...common, test: { ...common.test, name: 'alone', include: alone } },
      {
        ...common,
        test: {
          ...common.test,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
        },
      },
    ],
  },
});
