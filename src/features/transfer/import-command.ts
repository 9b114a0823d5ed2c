/** `records import`: creates and changes records from lines of JSON, or from a file of CSV. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addCommand, CommandError, contextOf, ProblemsFound } from '../../cli/command.js';
import { keepHeapSmall } from '../../cli/keep-heap-small.js';
import { counted } from '../../common/output.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import type { Surroundings } from '../../gateway/feature.js';
import { shellQuoted } from '../translation/shell-words.js';
import type { CsvInput } from './import/input.js';
import type { Imported } from './import/run-import.js';

export function addImport(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'import',
    'create documents from an export or from a file in the same form; continues where it was interrupted',
    ['databaseUrl', 'migrate', 'journal'],
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
    .addHelpText('after', notes)
    .action(async (path: string, { update = false, dryRun = false, again = false, quiet = false, ...given }) => {
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
      const input = path === '-' ? { stream, size: undefined, key, csv } : fileInput(path, name, csv);
      const { isTerminal, printError } = surroundings;
      const tell = (text: string) => void (quiet || printError(text));
      const goesOn = input.key === undefined ? '' : ' Run it again: it continues where it was.';
      const interrupt = () => printError(`\nInterrupted. What was imported stays.${goesOn}\n`);
      const run = (database: OpenedDatabase) =>
        runImport(database, input, {
          updates: update,
          isDryRun: dryRun,
          stops: onError === 'stop',
          again,
          errors,
          progress: { isTerminal, isQuiet: quiet, printError },
        });
      // A dry run leaves nothing, so it makes no database and does not turn the journal on.
      const done = await (dryRun ? withDatabase(config, run) : fillDatabase(config, { tell, interrupt }, run));
      printResult(done, textOf(done, dryRun));
      if (done.refused === 0) return;
      if (dryRun) throw new ProblemsFound();
      throw new CommandError(
        done.stoppedAt !== undefined ? stopped(done, path, csv) : `${counted(done.refused, 'line')} refused`,
      );
    });
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

const notes = `
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
