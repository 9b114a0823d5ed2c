import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { freshFolder } from './database.js';
import { v8Flags } from './v8-flags.js';

/** The gateway as a process of its own. */
export interface GatewayProcess {
  /** Where it runs. */
  folder: string;
  child: ChildProcess;
  /** What it has printed for people. */
  output(): string;
  /** What it has logged. */
  log(): string;
  /** Resolves with the address once it has said that it listens; rejects if it ends before. */
  ready(): Promise<string>;
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/**
 * Starts the gateway in a new folder on a free port, with `environment`, the lines of its `.env`, and nothing else of ours.
 * `built` is where it is built.
 */
export function startProcess(
  environment: Record<string, string> = {},
  parameters: string[] = [],
  lines: string[] = [],
  built = inject('testRun').built,
): GatewayProcess {
  const main = join(built, 'src/main.js');
  return run(process.execPath, [...v8Flags, main, ...parameters], environment, lines);
}

/** Starts another command than `serve` in the same way; only `output`, `log` and `ended` are meaningful. */
export function startRecords(environment: Record<string, string>, words: string[]): GatewayProcess {
  return startProcess(environment, words);
}

/** Starts `command`, which is to be a gateway, in the same way. */
export function run(
  command: string,
  parameters: string[],
  environment: Record<string, string>,
  lines: string[] = [],
): GatewayProcess {
  const folder = freshFolder();
  if (lines.length > 0) writeFileSync(join(folder, '.env'), lines.join('\n'));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...environment };
  const child = spawn(command, parameters, { cwd: folder, env });
  let output = '';
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    folder,
    output: () => output,
    log: () => log,
    ended,
    ready: async () => {
      for (let waited = 0; waited < 120_000; waited += 20) {
        const url = /REST +(http:\S+)\/api/.exec(output)?.[1];
        // The last line shows that the whole announcement has arrived.
        if (url && output.includes('curl')) return url;
        if (child.exitCode !== null || child.signalCode) break;
        await sleep(20);
      }
      throw new Error(`The gateway did not start:\n${output}\n${log}`);
    },
  };
}
