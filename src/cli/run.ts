import type { Command } from 'commander';
import { visible } from '../common/output.js';
import { exitCodes, shownFailure } from './failure.js';
import { recordsProgram } from './program.js';
import type { Surroundings } from './surroundings.js';

/**
 * Runs a command from its arguments, or `serve` without any. Prints what is wrong, and resolves with the exit code.
 * Once the gateway serves, it goes on after that.
 */
export async function runRecords(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const program = recordsProgram(surroundings);
  const typed = words.length > 0 ? words : ['serve'];
  try {
    await program.parseAsync(typed, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { code, problems } = shownFailure(error);
    if (problems.length === 0) return code;
    const help = `\`${nameOf(commandIn(program, typed))} --help\` says how.`;
    const isMisunderstood = code === exitCodes.misunderstood;
    const text = typed.includes('--json')
      ? `${JSON.stringify({ exitCode: code, problems }, null, 2)}\n`
      : `${textOf(problems)}${isMisunderstood ? `${help}\n` : ''}`;
    surroundings.printError(visible(text));
    return code;
  }
}

function textOf(problems: readonly string[]): string {
  const [first, ...others] = problems;
  if (others.length === 0) return `error: ${first}\n`;
  return `error: ${problems.length} problems\n${problems.map((problem) => `  ${problem}\n`).join('')}`;
}

/** The command that `words` begin with. */
function commandIn(program: Command, words: readonly string[]): Command {
  const next = program.commands.find((command) => command.name() === words[0]);
  return next ? commandIn(next, words.slice(1)) : program;
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
