/** The files in docs/deploy, and what the gateway knows of what they name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/common/project.js';
import { commandHelp } from '../commands/help.js';
import { dockerfile, environmentOf, type Stage, stagesOf, wordsOf } from '../image/dockerfile.js';
import { readConfig, settings } from '../support/settings.js';

export const textOf = (name: string): string => readFileSync(join(projectFolder, 'docs', name), 'utf8');

/** Of Node and of the packages, not of the gateway. */
const ofNode = ['NODE_ENV'];
const names = settings.map(({ name }) => name);

/** What is wrong with settings that a file gives to the gateway: unknown names, or what it would refuse to start with. */
export function problemsOf(environment: Readonly<Record<string, string>>): string[] {
  const own = Object.entries(environment).filter(([name]) => !ofNode.includes(name));
  const unknown = own.map(([name]) => name).filter((name) => !names.includes(name));
  try {
    readConfig(Object.fromEntries(own));
    return unknown;
  } catch (error) {
    return [...unknown, String(error)];
  }
}

const help = commandHelp();

/** The words of a command line that are no command, or a flag which that command does not have. */
export function unknownWords(words: readonly string[]): string[] {
  const flags = words.filter((word) => word.startsWith('--'));
  const plain = words.slice(0, flags.length > 0 ? words.findIndex((word) => word.startsWith('--')) : undefined);
  // What follows the name of a command are its arguments.
  const command = help.findLast(({ name }) => name !== '' && `${plain.join(' ')} `.startsWith(`${name} `));
  if (!command) return [...words];
  return flags.filter((flag) => !new RegExp(`${flag.split('=')[0]}(?![\\w-])`).test(command.text));
}

/** The image that the Dockerfile builds: its last stage. */
export function imageOf(): Stage & { environment: Record<string, string>; entrypoint: string[]; command: string[] } {
  const stage = stagesOf(dockerfile).at(-1);
  if (!stage) throw new Error('The Dockerfile has no stage');
  const textsOf = (name: string) => stage.instructions.filter((each) => each.name === name).map(({ text }) => text);
  return {
    ...stage,
    environment: Object.assign({}, ...textsOf('ENV').map(environmentOf)),
    entrypoint: wordsOf(textsOf('ENTRYPOINT').at(-1) ?? '[]'),
    command: wordsOf(textsOf('CMD').at(-1) ?? '[]'),
  };
}

/** Milliseconds of `20s` or of `20`. */
export function milliseconds(text: string | number): number {
  const [, count = Number.NaN] = /^(\d+)s?$/.exec(String(text)) ?? [];
  return Number(count) * 1000;
}
