import { PassThrough, Readable } from 'node:stream';
import type { Command } from 'commander';
import { createRestApi } from '../../rest/rest.js';
import { recordsProgram } from '../../src/cli/run.js';
import { features } from '../../src/features.js';
import type { Feature } from '../../src/gateway/feature.js';

interface CommandHelp {
  /** The words of the command, '' for all of it. */
  name: string;
  text: string;
}

/** The help of `records` and of each command below it. */
export function commandHelp(given: readonly Feature[] = features): CommandHelp[] {
  const nothing = () => {};
  const program = { path: '', words: [] };
  const streams = {
    features: given,
    program,
    inputStream: () => Readable.from([]),
    outputStream: () => new PassThrough(),
    isTerminal: false,
    printsToTerminal: false,
  };
  const surroundings = { environment: {}, input: () => '', folder: '.', print: nothing, printError: nothing };
  return helpOf(
    recordsProgram({ ...surroundings, ...streams }, async () => createRestApi),
    [],
  );
}

function helpOf(command: Command, words: string[]): CommandHelp[] {
  let text = '';
  const writeOut = (more: string) => {
    text += more;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut }).outputHelp();
  return [
    { name: words.join(' '), text },
    ...command.commands.flatMap((each) => helpOf(each, [...words, each.name()])),
  ];
}

/** `page` with the help between its marks. */
export function withHelp(page: string): string {
  const [before, after] = [page.split('<!-- help -->')[0], page.split('<!-- /help -->')[1]];
  const sections = commandHelp()
    .filter(({ name }) => name !== '')
    .map(({ name, text }) => `### records ${name}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`);
  return `${before}<!-- help -->\n${sections.join('\n')}<!-- /help -->${after}`;
}
