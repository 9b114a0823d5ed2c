/** `records seed`: fills a database with records to try things on. */
import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, givenTo } from './command.js';
import { keepHeapSmall } from './keep-heap-small.js';
import type { Surroundings } from './surroundings.js';

export function addSeed(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'seed',
    'fill a database with documents of every type that look like real ones, the same ones for the same seed',
    ['databaseUrl'],
  )
    .option('-r, --records <number>', 'how many documents; their lines come on top', wholeNumber, 1000)
    .option('-s, --seed <number>', 'another number makes other documents', wholeNumber, 7)
    .option('--add', 'also to a database that holds records already')
    .option('-q, --quiet', 'do not tell on standard error how far it has come')
    .addHelpText('after', notes)
    .action(async ({ records, seed, add = false, quiet = false }) => {
      const { config, tell } = givenTo(command, surroundings);
      keepHeapSmall(25);
      const { runSeed, withDatabase } = await import('./work.js');
      const { isTerminal, complain } = surroundings;
      const progress = { isTerminal, isQuiet: quiet, complain };
      const done = await withDatabase(config, (database) => runSeed(database, { records, seed, adds: add, progress }));
      const before = done.wereThere > 0 ? ` ${done.wereThere} were there before.` : '';
      tell(done, `Created ${done.created} documents.${before}\n`);
    });
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number up to 999999999.');
  return number;
}

const notes = `
The database must be there: start the gateway once, or run \`records migrate apply\`.
Interrupted and run again, it goes on where it was.

Examples:
  records seed
  records seed --records 100000 --seed 12 --database-url file:./data/trial.db
`;
