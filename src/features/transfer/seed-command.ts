/** `records seed`: fills a database with sample records. */
import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, contextOf } from '../../cli/command.js';
import { keepHeapSmall } from '../../cli/keep-heap-small.js';
import { counted } from '../../common/output.js';
import type { Surroundings } from '../../gateway/feature.js';

export function addSeed(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'seed',
    'fill a database with realistic sample documents of every type, always the same for the same seed',
    ['databaseUrl', 'migrate', 'journal'],
  )
    .option('-r, --records <number>', 'the number of documents, not counting their lines', wholeNumber, 1000)
    .option('-s, --seed <number>', 'a different number creates different documents', wholeNumber, 7)
    .option('--add', 'add documents to a database that already holds records')
    .option('-q, --quiet', 'show no progress on standard error')
    .addHelpText('after', notes)
    .action(async ({ records, seed, add = false, quiet = false }) => {
      const { config, printResult } = contextOf(command, surroundings);
      keepHeapSmall(25);
      const [{ fillDatabase }, { runSeed }] = await Promise.all([
        import('../../cli/work.js'),
        import('./seed/run-seed.js'),
      ]);
      const { isTerminal, printError } = surroundings;
      const progress = { isTerminal, isQuiet: quiet, printError };
      const tell = (text: string) => void (quiet || printError(text));
      const interrupt = () => printError('\nInterrupted. Run it again: it continues where it was.\n');
      const done = await fillDatabase(config, { tell, interrupt }, (database) =>
        runSeed(database, { records, seed, adds: add, progress }),
      );
      const before = done.wereThere > 0 ? ` There before: ${done.wereThere}.` : '';
      printResult(done, `Created ${counted(done.created, 'document')}.${before}\n`);
    });
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number up to 999999999.');
  return number;
}

const notes = `
A database that does not exist is made, as the gateway makes it. A seed that is interrupted
continues when it is run again.

Examples:
  records seed
  records seed --records 100000 --seed 12 --database-url file:./data/trial.db
`;
