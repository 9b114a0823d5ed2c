import { parseArgs } from 'node:util';
import { type Setting, settings } from '../config.js';

/** A program was started with unknown parameters; the message says how to get help. */
export class UsageError extends Error {}

/**
 * Whether a program without parameters was started with `--help`. `command` is the command line that starts it. @throws
 * UsageError
 */
export function wantsHelp(command: string): boolean {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h' } } }).values.help === true;
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    throw new UsageError(`${problem}\n\`${command} -- --help\` lists the options.`);
  }
}

/** The output of `npm start -- --help`: all settings with their meanings and defaults. */
export function help(): string {
  return `Business Records Gateway: business records over GraphQL and REST.

  npm start             builds and starts it
  npm start -- --help   prints this
  npm run keys          makes, lists, rotates and revokes API keys
  npm run migrate       brings the database up to date

Settings are environment variables; the default stands in brackets.

${table(settings())}
`;
}

/** The output of `npm run migrate -- --help`. */
export function migrateHelp(): string {
  return `Brings the database up to date and ends, for those who start the gateway with MIGRATE=false.

  npm run migrate             applies the migrations that are missing, all or nothing
  npm run migrate -- --help   prints this

Settings are environment variables; the default stands in brackets.

${table(settings().filter(({ name }) => name === 'DATABASE_URL'))}
`;
}

/** Columns of the output. */
const WIDTH = 80;

function table(rows: readonly Setting[]): string {
  const indent = 4 + Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, meaning, default: value }) => {
      const lines = wrapped(`${meaning}${value ? ` [${value}]` : ''}`, WIDTH - indent);
      return `  ${name}`.padEnd(indent) + lines.join(`\n${' '.repeat(indent)}`);
    })
    .join('\n');
}

/** Wraps `text` into lines of at most `width` characters, unless a single word is longer. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
