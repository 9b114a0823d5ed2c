/** `records export`: all records as lines of JSON, or as files of CSV. */
import { type Command, Option } from 'commander';
import { addCommand, givenTo } from './command.js';
import { CommandError } from './failure.js';
import type { Surroundings } from './surroundings.js';
import { namesOf } from './words.js';

export function addExport(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'export',
    'write the records as they are at one moment, a document with its lines in each line of JSON, or as CSV',
    ['databaseUrl'],
  )
    .argument('<file>', 'a new file, or - for standard output; of CSV a new folder, or a file for one type')
    .option('-t, --types <list>', 'only these types, separated by commas: AssetRepair,Quotation', namesOf)
    .addOption(new Option('-f, --format <form>', 'how to write them').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--with-secrets', 'also fields that hold credentials, such as accessKey')
    .option('-q, --quiet', 'do not tell on standard error how far it has come')
    .addHelpText('after', notes)
    .action(async (name: string, { types = [], format, withSecrets = false, quiet = false }) => {
      const { config, tell, tellAside } = givenTo(command, surroundings);
      const work = await import('./work.js');
      const { csvForm, fileDestination, folderDestination, jsonForm, requireDatabase, runExport, streamDestination } =
        work;
      requireDatabase(config.databaseUrl);
      const { isTerminal, complain } = surroundings;
      const isPipe = name === '-';
      const isFolder = format === 'csv' && types.length !== 1;
      if (isFolder && isPipe) {
        throw new CommandError('CSV has a file for each type. Name one type with --types, or give a folder.');
      }
      const destination = () => {
        if (isPipe) return streamDestination(surroundings.outputStream());
        return isFolder ? folderDestination(name) : fileDestination(name);
      };
      const done = await runExport(config.databaseUrl, destination, {
        types,
        withSecrets,
        form: format === 'csv' ? csvForm : jsonForm,
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
  records export tables --format csv
  records export repairs.csv --format csv --types AssetRepair
`;
