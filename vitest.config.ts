import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { OrderOfFiles } from './test/support/order-of-files.js';
import { tellsProcessorTime } from './test/support/processor-time.js';
import { allCases } from './test/support/thorough.js';
import { transpiledSources } from './test/support/transpiled-sources.js';
import { v8Flags } from './test/support/v8-flags.js';

/** Whether this run is about some files: who names them is about to change what they test. */
const namesFiles = process.argv.slice(2).some((word) => word !== 'run' && !word.startsWith('-'));

export default defineConfig({
  plugins: [transpiledSources()],
  resolve: {
    // One copy of graphql: vitest would load its ES modules, the libraries its CommonJS, and each refuses the other's types.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    globalSetup: ['test/support/test-run.ts'],
    setupFiles: [
      'test/support/seed.ts',
      'test/support/name-process.ts',
      'test/support/refuse-warnings.ts',
      ...(tellsProcessorTime ? ['test/support/write-processor-time.ts'] : []),
    ],
    reporters: ['default', 'test/support/failed-tests.ts', 'test/support/silent-files.ts'],
    include: ['test/**/*.test.ts'],
    // `npm run test:clients` and `npm run test:tools` name the tests that need packages of their own.
    exclude: [
      '**/node_modules/**',
      ...(namesFiles ? [] : ['test/clients/**', 'test/tools/**', ...(allCases ? [] : ['test/**/*.slow.test.ts'])]),
    ],
    env: namesFiles ? { FILES_NAMED: 'true' } : {},
    // Files share a few processes, because loading the gateway takes longer than most of them.
    isolate: false,
    // `--always-sparkplug` compiles each function at once, without optimizing it: faster than to interpret it for minutes.
    // Little garbage collection, and none beside the tests, whose threads wait for each other on processors that are busy.
    execArgv: [
      ...v8Flags,
      '--always-sparkplug',
      // The same for Prisma's WebAssembly.
      '--liftoff-only',
      '--single-threaded-gc',
      '--min-semi-space-size=16',
      '--max-semi-space-size=32',
    ],
    // Three more than there are processors: many tests wait for processes, locks and clocks. Each warms up for eight seconds.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: OrderOfFiles },
    // What hangs is to fail; what takes its turn on a machine that has other things to do is not.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
