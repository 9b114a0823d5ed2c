/** `records export`: all records as lines of JSON, or as files of CSV. */
import { type Command, Option } from 'commander';
import { addCommand, CommandError, contextOf } from '../../cli/command.js';
import { namesOf } from '../../cli/option-values.js';
import { counted } from '../../common/output.js';
import type { Surroundings } from '../../gateway/feature.js';

export function addExport(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'export',
    'write all records as they are at one moment: as JSON Lines, a document with its lines in each, or as CSV',
    ['databaseUrl'],
  )
    .argument('<file>', 'a new file, or - for standard output; for CSV of several types a new folder')
    .option('-t, --types <list>', 'only these types, separated by commas: AssetRepair,Quotation', namesOf)
    .addOption(
      new Option('-f, --format <form>', 'the format [csv if the name of the file ends with .csv]').choices([
        'jsonl',
        'csv',
      ]),
    )
    .option('--with-secrets', 'include fields that hold credentials, such as accessKey')
    .option('-q, --quiet', 'show no progress on standard error')
    .addHelpText('after', notes)
    .action(async (name: string, { types = [], format: given, withSecrets = false, quiet = false }) => {
      const { config, printResult, printSummary } = contextOf(command, surroundings);
      const [
        { requireDatabase },
        { fileDestination, streamDestination },
        { folderDestination },
        { csvForm, jsonForm },
        { runExport },
      ] = await Promise.all([
        import('../../cli/work.js'),
        import('./export/destination.js'),
        import('./export/folder-destination.js'),
        import('./export/document-form.js'),
        import('./export/run-export.js'),
      ]);
      requireDatabase(config.databaseUrl);
      const { isTerminal, printError } = surroundings;
      const isPipe = name === '-';
      const isCsvFile = /\.csv$/i.test(name);
      const format = given ?? (isCsvFile ? 'csv' : 'jsonl');
      const isFolder = format === 'csv' && types.length !== 1;
      if (isFolder && (isPipe || isCsvFile)) {
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
        progress: { isTerminal, isQuiet: quiet, printError },
      });
      const text = `Exported ${counted(done.documents, 'document')}.\n`;
      if (!isPipe) printResult({ file: name, ...done }, text);
      else if (!quiet) printSummary(done, text);
    });
}

const notes = `
API keys, webhooks, the journal and counts of calls are not exported. Credentials are not exported
without --with-secrets; an import then leaves them as they are.

Examples:
  records export records.jsonl
  records export - --types AssetRepair | gzip > repairs.jsonl.gz
  records export tables --format csv
  records export repairs.csv --types AssetRepair
`;
