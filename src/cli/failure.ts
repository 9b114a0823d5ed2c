/** The exit codes of all commands, and what is printed when one fails. */
import { CommanderError } from 'commander';
import { ConfigError } from '../common/config-error.js';
import { ExplainedError } from '../common/explained-error.js';
import { ReaderGoneError } from '../features/transfer/transfer-error.js';
import { GatewayError } from '../model/errors/gateway-error.js';

/** The exit codes and their meanings. */
export const exitCodes = {
  /** It did what it was asked to do. */
  done: 0,
  /** It could not, and the message says why. */
  failed: 1,
  /** Nothing was attempted: the arguments or the settings are wrong. */
  misunderstood: 2,
  /** It checked, as it was asked to do, and found something wrong. */
  found: 3,
} as const;

/** A command could not do what it was asked to do. The message says why, and what to do. */
export class CommandError extends ExplainedError {}

/** A command has found something wrong, and has printed it. */
export class ProblemsFound extends Error {}

/** A process that the command started has already printed what is wrong, and ended with this code. */
export class AlreadyReported extends Error {
  constructor(readonly code: number) {
    super('Another process has said what is wrong');
  }
}

export interface Failure {
  code: number;
  /** One text for each problem; none if everything has been printed. */
  problems: readonly string[];
}

/** What to print for `error`; for a fault of ours also its stack. */
export function shownFailure(error: unknown): Failure {
  if (error instanceof AlreadyReported) return { code: error.code, problems: [] };
  if (error instanceof ProblemsFound) return { code: exitCodes.found, problems: [] };
  if (error instanceof CommanderError) {
    // Help was asked for and printed; a group of commands without one of them prints its help as an error.
    if (error.exitCode === 0) return { code: exitCodes.done, problems: [] };
    const problems = error.code === 'commander.help' ? [] : [error.message.replace(/^error: /, '')];
    return { code: exitCodes.misunderstood, problems };
  }
  // Other programs end like this too once nobody reads their output.
  if (error instanceof ReaderGoneError) return { code: exitCodes.failed, problems: [] };
  if (error instanceof ConfigError) return { code: exitCodes.misunderstood, problems: error.problems };
  return { code: exitCodes.failed, problems: problemsOf(error) };
}

function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ExplainedError)) return [unexplained(error)];
  const problems = error instanceof GatewayError ? error.details.problems : undefined;
  return problems
    ? problems.map(({ path, message }) => `${nameIn(path)} ${message}.`.replace(/\?\.$/, '?'))
    : [error.message];
}

/** What the system or SQLite refuses is no fault of ours, and its message names the file. */
function unexplained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('syscall' in error) return `${error.message}. Is the path right, and may this user read and write there?`;
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_') ? `SQLite: ${error.message} (${code}).` : String(error.stack);
}

/** `["input", "scopes", 1]` → `scopes, number 2,` */
function nameIn(path: readonly (string | number)[]): string {
  return path
    .filter((part) => part !== 'input')
    .map((part) => (typeof part === 'number' ? `number ${part + 1}` : part))
    .join(', ');
}
