/** `npm run bench`: see `help` in options.ts and docs/performance.md. */
import { compare } from './modes/compare.js';
import { growth } from './modes/growth.js';
import { live } from './modes/live.js';
import { profile } from './modes/profile.js';
import { soak } from './modes/soak.js';
import { start } from './modes/start.js';
import { twoProcesses } from './modes/two-processes.js';
import { workers } from './modes/workers.js';
import { wrong } from './modes/wrong.js';
import { help, OptionError, type Options, readOptions } from './options.js';
import { progressEnds } from './progress.js';
import { killServers } from './server-process.js';

const modes: Record<Options['mode'], (options: Options) => Promise<void> | void> = {
  compare,
  growth,
  profile,
  start,
  soak,
  'two-processes': twoProcesses,
  workers,
  live,
  wrong,
  help: () => void process.stdout.write(help),
};

try {
  const options = readOptions(process.argv.slice(2));
  await modes[options.mode](options);
} catch (error) {
  progressEnds();
  console.error(
    error instanceof OptionError ? `${error.message}\n\`npm run bench -- --help\` lists the options.` : error,
  );
  process.exitCode = 1;
} finally {
  killServers();
}
