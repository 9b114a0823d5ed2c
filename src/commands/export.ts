/** `records export`: all records as lines of JSON. */
import type { Command } from 'commander';
import { addCommand, givenTo } from './command.js';
import type { Surroundings } from './surroundings.js';
import { namesOf } from './words.js';

export function addExport(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'export',
    'write the records as they are at one moment, a document with its lines in each line of JSON',
    ['databaseUrl'],
  )
    .argument('<file>', 'a new file, or - for standard output')
    .option('-t, --types <list>', 'only these types, separated by commas: AssetRepair,Quotation', namesOf)
    .option('--with-secrets', 'also fields that hold credentials, such as accessKey')
    .option('-q, --quiet', 'do not tell on standard error how far it has come')
    .addHelpText('after', notes)
    .action(async (name: string, { types = [], withSecrets = false, quiet = false }) => {
      const { config, tell, tellAside } = givenTo(command, surroundings);
      const { fileDestination, requireDatabase, runExport, streamDestination } = await import('./work.js');
      requireDatabase(config.databaseUrl);
      const { isTerminal, complain } = surroundings;
      const isPipe = name === '-';
      const destination = () => (isPipe ? streamDestination(surroundings.outputStream()) : fileDestination(name));
      const done = await runExport(config.databaseUrl, destination, {
        types,
        withSecrets,
        progress: { isTerminal, isQuiet: quiet, complain },
      });
      const text = `Exported ${done.documents} documents.\n`;
      if (!isPipe) tell({ file: name, ...done }, text);
      else if (!quiet) tellAside(done, text);
    });
}

const notes = `
API keys, webhooks, the journal and counts of calls are not exported. Nor are credentials without
--with-secrets: an import then leaves them as they are.

Examples:
  records export records.jsonl
  records export - --types AssetRepair | gzip > repairs.jsonl.gz
`;
