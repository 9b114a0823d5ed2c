import { configDefaults, defineConfig } from 'vitest/config';

/**
 * The tests that start processes, stop clocks or drive Prisma's migration engine, which stays broken in a process where
 * it once panicked: each file has a process of its own. All others share one, because loading the gateway takes longer
 * than most of their files.
 */
const alone = ['bench', 'database', 'start'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

// Not inherited by extending: the root's set-up runs once, that of its projects once each.
const common = {
  resolve: {
    // One copy of graphql: vitest would load its ES modules, the libraries its CommonJS, and each refuses the other's types.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: { testTimeout: 60_000, hookTimeout: 120_000 },
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/test-run.ts'],
    maxWorkers: '100%',
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
