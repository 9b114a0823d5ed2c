/** The exit codes of all commands, and what is printed when one fails. */
import { CommanderError } from 'commander';
import { BackupError } from '../backup/backup-error.js';
import { ConfigError } from '../config.js';
import { DatabaseStartError } from '../database/database-start-error.js';
import { GatewayError } from '../errors.js';
import { TransferError, UnreadError } from '../transfer/transfer-error.js';

/** The exit code of a command says one of these. */
export const exitCodes = {
  /** It did what it was asked to do. */
  done: 0,
  /** It could not, and the message says why. */
  failed: 1,
  /** Nothing was attempted: the words or the settings are wrong. */
  misunderstood: 2,
  /** It looked, as it was asked to do, and found something that is not as it should be. */
  found: 3,
} as const;

/** A command could not do what it was asked to do. The message says why, and what to do. */
export class CommandError extends Error {}

/** A command has printed what it found, which is not as it should be. */
export class Found extends Error {}

/** A process that the command has started has already said what is wrong, and ended with this code. */
export class Said extends Error {
  constructor(readonly code: number) {
    super('Another process has said what is wrong');
  }
}

export interface Failure {
  code: number;
  /** One for each problem; none if everything has been said. */
  problems: readonly string[];
}

/** What to tell of `error`; of an unexpected one with its stack. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Said) return { code: error.code, problems: [] };
  if (error instanceof Found) return { code: exitCodes.found, problems: [] };
  if (error instanceof CommanderError) {
    // Help was asked for and printed; a group of commands without one of them prints its help as an error.
    if (error.exitCode === 0) return { code: exitCodes.done, problems: [] };
    const problems = error.code === 'commander.help' ? [] : [error.message.replace(/^error: /, '')];
    return { code: exitCodes.misunderstood, problems };
  }
  // As other programs do that nobody reads any more.
  if (error instanceof UnreadError) return { code: exitCodes.failed, problems: [] };
  if (error instanceof ConfigError) return { code: exitCodes.misunderstood, problems: error.problems };
  return { code: exitCodes.failed, problems: problemsOf(error) };
}

function problemsOf(error: unknown): readonly string[] {
  const known = [DatabaseStartError, CommandError, BackupError, TransferError];
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return [error.message];
  if (!(error instanceof GatewayError)) return [error instanceof Error ? String(error.stack) : String(error)];
  const { problems } = error.details;
  return problems
    ? problems.map(({ path, message }) => `${nameIn(path)} ${message}.`.replace(/\?\.$/, '?'))
    : [error.message];
}

/** `["input", "scopes", 1]` → `scopes, number 2,` */
function nameIn(path: readonly (string | number)[]): string {
  return path
    .filter((part) => part !== 'input')
    .map((part) => (typeof part === 'number' ? `number ${part + 1}` : part))
    .join(', ');
}
