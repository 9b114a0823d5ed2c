/** Records in bulk: exports, imports, and sample records. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addCommand, CommandError, contextOf, ProblemsFound, writersOf } from '../../cli/command.js';
import { nameList, wholeNumberFrom } from '../../cli/option-values.js';
import { keepHeapSmall } from '../../cli/process.js';
import { counted } from '../../common/output.js';
import { shellQuoted } from '../../common/shell-quoted.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';
import type { CsvInput } from './import/input.js';
import type { Imported } from './import/run-import.js';

export const transfer: Feature = {
  name: 'transfer',
  commands(program, surroundings) {
    addExport(program, surroundings);
    addImport(program, surroundings);
    addSeed(program, surroundings);
  },
};

function addExport(program: Command, surroundings: Surroundings): void {
  addCommand(
    program,
    'export',
    'write all records as they are at one moment: as JSON Lines, a document with its lines in each, or as CSV',
  )
    .argument('<file>', 'a new file, or - for standard output; for CSV of several types a new folder')
    .option('-t, --types <list>', 'only these types, separated by commas: AssetRepair,Quotation', nameList)
    .addOption(
      new Option('-f, --format <form>', 'the format [csv if the name of the file ends with .csv]').choices([
        'jsonl',
        'csv',
      ]),
    )
    .option('--with-secrets', 'include fields that hold credentials, such as accessKey')
    .option('-q, --quiet', 'show no progress on standard error')
    .addHelpText('after', exportNotes)
    .action(async (name: string, { types = [], format: given, withSecrets = false, quiet = false }, command) => {
      const { config, printResult, printSummary } = contextOf(command, surroundings);
      const [{ requireDatabase }, { fileDestination, streamDestination }, { csvForm, jsonForm }, { runExport }] =
        await Promise.all([
          import('../../cli/work.js'),
          import('./export/destination.js'),
          import('./export/document-form.js'),
          import('./export/run-export.js'),
        ]);
      requireDatabase(config.databaseUrl);
      const isPipe = name === '-';
      const isCsvFile = /\.csv$/i.test(name);
      const format = given ?? (isCsvFile ? 'csv' : 'jsonl');
      const isFolder = format === 'csv' && types.length !== 1;
      if (isFolder && (isPipe || isCsvFile)) {
        throw new CommandError('CSV has a file for each type. Name one type with --types, or give a folder.');
      }
      const destination = () =>
        isPipe ? streamDestination(surroundings.outputStream()) : fileDestination(name, isFolder);
      const done = await runExport(config.databaseUrl, destination, {
        types,
        withSecrets,
        form: format === 'csv' ? csvForm : jsonForm,
        progress: { ...surroundings, isQuiet: quiet },
      });
      const text = `Exported ${counted(done.documents, 'document')}.\n`;
      if (!isPipe) printResult({ file: name, ...done }, text);
      else if (!quiet) printSummary(done, text);
    });
}

const exportNotes = `
API keys, webhooks, the journal and counts of calls are not exported. Credentials are not exported
without --with-secrets; an import then leaves them as they are.

Examples:
  records export records.jsonl
  records export - --types AssetRepair | gzip > repairs.jsonl.gz
  records export tables --format csv
  records export repairs.csv --types AssetRepair
`;

function addImport(program: Command, surroundings: Surroundings): void {
  addCommand(
    program,
    'import',
    'create documents from an export or from a file in the same form; continues where it was interrupted',
    'migrate',
    'journal',
  )
    .argument('<file>', 'a file of JSON Lines, a document in each line, or of CSV; - for standard input')
    .option(
      '-c, --csv <type>',
      'the file is CSV, with documents of this type [the name of the file, if it ends with .csv or .tsv]',
    )
    .option('--delimiter <character>', 'what separates the values of CSV: ; or | or tab [a comma]', delimiterIn)
    .option('--decimal-comma', 'the numbers of CSV have a decimal comma: 12,5')
    .option('-u, --update', 'change documents that exist already, found by their ids, if they differ')
    .option('-n, --dry-run', 'do everything and roll it back')
    .addOption(
      new Option('--on-error <what>', 'what to do when a line is refused').choices(['stop', 'skip']).default('stop'),
    )
    .option('--errors <file>', 'a new file for the refused lines, each with its number and every reason')
    .option('--name <name>', 'the name by which an interrupted import is found again [a digest of the file]')
    .option('--again', 'repeat an import that is complete')
    .option('-q, --quiet', 'show no progress on standard error')
    .addHelpText('after', importNotes)
    .action(
      async (path: string, { update = false, dryRun = false, again = false, quiet = false, ...given }, command) => {
        const { config, printResult } = contextOf(command, surroundings);
        keepHeapSmall(70);
        const [{ fillDatabase, withDatabase }, { fileInput }, { runImport }] = await Promise.all([
          import('../../cli/work.js'),
          import('./import/input.js'),
          import('./import/run-import.js'),
        ]);
        const { onError, errors, name } = given;
        const csv = csvOf(path, given);
        const key = name === undefined ? undefined : `name:${name}`;
        const stream = () => surroundings.inputStream();
        const input = path === '-' ? { stream, size: undefined, key, csv } : fileInput(path, key, csv);
        const kept = `What was imported stays.${input.key === undefined ? '' : ` ${goesOn}`}`;
        const { told, ...options } = await filling(surroundings, quiet, kept);
        const run = (database: OpenedDatabase) =>
          runImport(database, input, {
            ...options,
            updates: update,
            isDryRun: dryRun,
            stops: onError === 'stop',
            again,
            errors,
          });
        // A dry run leaves nothing, so it makes no database and does not turn the journal on.
        const done = await (dryRun ? withDatabase(config, run) : fillDatabase(config, told, run));
        printResult(done, textOf(done, dryRun));
        if (done.refused === 0) return;
        if (dryRun) throw new ProblemsFound();
        throw new CommandError(
          done.stoppedAt !== undefined ? stopped(done, path, csv) : `${counted(done.refused, 'line')} refused`,
        );
      },
    );
}

function textOf({ imported, unchanged, refused, wasDone, reasons }: Imported, isDryRun: boolean): string {
  const counts = `${counted(imported, 'document')}, ${unchanged} unchanged, ${counted(refused, 'line')} refused.\n`;
  if (wasDone) return `This was imported before: ${counts}--again imports it anew.\n`;
  const told = reasons.map((reason) => `${reason}\n`).join('');
  return `${told}${isDryRun ? 'Would have imported' : 'Imported'} ${counts}`;
}

interface CsvOptions {
  csv?: string;
  delimiter?: string;
  decimalComma?: boolean;
}

/** `AssetRepair.csv` holds asset repairs, and so does `AssetRepair.tsv`, with tabs. */
function csvOf(path: string, { csv, delimiter, decimalComma = false }: CsvOptions): CsvInput | undefined {
  const [, named, ending = ''] = /([^/\\]{1,100})\.([ct]sv)$/i.exec(path) ?? [];
  const type = csv ?? named;
  const standard = ending.toLowerCase() === 'tsv' ? '\t' : ',';
  if (type !== undefined) return { type, delimiter: delimiter ?? standard, decimalComma };
  if (delimiter === undefined && !decimalComma) return undefined;
  throw new CommandError('Only CSV has a delimiter and a decimal comma. Name the type of its documents with --csv.');
}

function delimiterIn(text: string): string {
  const character = text === 'tab' || text === '\\t' ? '\t' : text;
  if (!/^[^\w"\r\n]$/.test(character)) throw new InvalidArgumentError('Give one character, or tab.');
  return character;
}

function restOf({ lines, stoppedAt, headerLine }: Imported, name: string, csv: CsvInput | undefined): string {
  // What came by standard input is in a file that only its user knows. A name that begins with a hyphen would be an option.
  const path = name === '-' ? 'FILE' : shellQuoted(name.startsWith('-') ? `./${name}` : name);
  if (csv === undefined) return `tail -n +${lines + 1} ${path} | records import -`;
  const { type, delimiter, decimalComma } = csv;
  const words = ['--csv', shellQuoted(type)];
  if (delimiter !== ',') words.push('--delimiter', delimiter === '\t' ? 'tab' : shellQuoted(delimiter));
  if (decimalComma) words.push('--decimal-comma');
  return `(head -n ${headerLine ?? 1} ${path}; tail -n +${stoppedAt} ${path}) | records import - ${words.join(' ')}`;
}

const stopped = (done: Imported, path: string, csv: CsvInput | undefined): string =>
  `The import stopped at a line that was refused. Everything before it is imported: correct the line, and import the rest, for example with \`${restOf(done, path, csv)}\``;

const importNotes = `
Documents keep the ids, versions, states and times in the file; those without an id get a new one. A
document that exists already is refused without --update. An interrupted import continues when it is
run again; for standard input that needs a --name.

A database that does not exist is made, as the gateway makes it.

The exit code is 1 if a line was refused, and 3 in a dry run.

Examples:
  records import records.jsonl --dry-run --on-error skip
  records import records.jsonl --on-error skip --errors refused.jsonl
  gunzip -c records.jsonl.gz | records import - --name monday
  records import tables/AssetRepair.csv
  records import excel.csv --csv AssetRepair --delimiter ';' --decimal-comma
`;

function addSeed(program: Command, surroundings: Surroundings): void {
  addCommand(
    program,
    'seed',
    'fill a database with realistic sample documents of every type, always the same for the same seed',
    'migrate',
    'journal',
  )
    .option('-r, --records <number>', 'the number of documents, not counting their lines', wholeNumber, 1000)
    .option('-s, --seed <number>', 'a different number creates different documents', wholeNumber, 7)
    .option('--add', 'add documents to a database that already holds records')
    .option('-q, --quiet', 'show no progress on standard error')
    .addHelpText('after', seedNotes)
    .action(async ({ records, seed, add = false, quiet = false }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      keepHeapSmall(25);
      const [{ fillDatabase }, { runSeed }] = await Promise.all([import('../../cli/work.js'), import('./run-seed.js')]);
      const { told, ...options } = await filling(surroundings, quiet, goesOn);
      const done = await fillDatabase(config, told, (database) =>
        runSeed(database, { ...options, records, seed, adds: add }),
      );
      const before = done.wereThere > 0 ? ` There before: ${done.wereThere}.` : '';
      printResult(done, `Created ${counted(done.created, 'document')}.${before}\n`);
    });
}

const goesOn = 'Run it again: it continues where it was.';

/** What the commands that write documents have in common; `kept` is said when somebody ends them. */
async function filling({ features, ...surroundings }: Surroundings, isQuiet: boolean, kept: string) {
  const { printError } = surroundings;
  return {
    writers: await writersOf(features),
    progress: { ...surroundings, isQuiet },
    told: {
      tell: (text: string) => void (isQuiet || printError(text)),
      interrupt: () => printError(`\nInterrupted. ${kept}\n`),
    },
  };
}

const wholeNumber = wholeNumberFrom(0, 999999999, ' up to 999999999');

const seedNotes = `
A database that does not exist is made, as the gateway makes it. A seed that is interrupted
continues when it is run again.

Examples:
  records seed
  records seed --records 100000 --seed 12 --database-url file:./data/trial.db
`;
