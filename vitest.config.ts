import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // One copy of graphql: vitest would load its ES modules, the libraries its CommonJS, and each refuses the other's types.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/test-run.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
