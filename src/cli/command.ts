import type { Command } from 'commander';
import { visible } from '../common/output.js';
import type { Config } from '../gateway/config/config.js';
import { configOf, takeSettings } from './settings.js';
import type { Surroundings } from './surroundings.js';

/** What the action of a command gets. */
export interface CommandContext {
  config: Config;
  /** Prints the result: as JSON if `--json` asks for it, otherwise as text. */
  printResult(value: unknown, text: string): void;
  /** The same on standard error, for commands whose standard output holds something else. */
  printSummary(value: unknown, text: string): void;
}

/** Adds a command that takes these settings as flags. */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  uses: readonly (keyof Config)[],
): Command {
  const command = parent.command(name).description(description);
  takeSettings(command, uses);
  return command.option('--json', 'print JSON, for programs');
}

/** The context of `command`, once its arguments are parsed. @throws ConfigError */
export function contextOf(command: Command, surroundings: Surroundings): CommandContext {
  const { json } = command.opts<{ json?: boolean }>();
  const form = (value: unknown, text: string) => visible(json ? `${JSON.stringify(value, null, 2)}\n` : text);
  return {
    config: configOf(command, surroundings),
    printResult: (value, text) => surroundings.print(form(value, text)),
    printSummary: (value, text) => surroundings.printError(form(value, text)),
  };
}
