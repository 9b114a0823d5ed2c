import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { visibleLine } from '../../../common/output.js';
import { readJson } from '../../../common/read-json.js';
import { systemCode } from '../../../common/write-problem.js';
import type { Database } from '../../../database/open-database.js';
import type { Problem } from '../../../model/errors/problem.js';
import { allResources } from '../../../model/resources.js';
import { continueIds } from '../../../query/ids.js';
import { typesNamed } from '../document-types.js';
import { Progress, type ShownProgress, TransferError } from '../reports.js';
import { csvItems } from './csv-items.js';
import { type DocumentCheck, documentCheck, type ImportItem, type RefusedLine, refusedItem } from './document-check.js';
import {
  type Checkpoint,
  forgetCheckpoint,
  Importer,
  type ImportOptions,
  noCheckpoint,
  readCheckpoint,
} from './importer.js';
import { type Input, type InputLine, inputLines, type Reading } from './input.js';

export interface RunImportOptions extends Pick<ImportOptions, 'updates' | 'isDryRun' | 'stops' | 'rules' | 'writers'> {
  /** Whether an input that was imported before is imported again. */
  again: boolean;
  /** The file for refused lines. */
  errors: string | undefined;
  progress: ShownProgress;
}

export interface Imported extends Omit<Checkpoint, 'isFinished'> {
  /** The first of the refused lines, as texts. */
  reasons: string[];
  stoppedAt?: number | undefined;
  /** The line of the names of a CSV file. */
  headerLine?: number | undefined;
  /** Whether an earlier run has done all of it. */
  wasDone: boolean;
}

/** The most refusals that are printed, besides those in the file. */
const mostTold = 20;

/** Imports lines of JSON, or a file of CSV. @throws TransferError */
export async function runImport(
  database: Database & Parameters<typeof continueIds>[0],
  input: Input,
  { again, errors, progress: shownAs, ...options }: RunImportOptions,
): Promise<Imported> {
  const { updates, isDryRun, stops } = options;
  const { csv } = input;
  const [csvResource] = csv ? typesNamed(allResources, [csv.type]) : [];
  await continueIds(database, allResources);
  const checkpointId = isDryRun ? undefined : input.key;
  const from = checkpointId === undefined ? noCheckpoint : await startOf(database, checkpointId, again);
  const reasons: string[] = [];
  if (from.isFinished) return { ...from, reasons, wasDone: true };
  const progress = new Progress({ ...shownAs, verb: isDryRun ? 'tried' : 'imported', isGuess: true });
  const refused = errors === undefined ? undefined : new RefusedLines(errors, from.lines);
  let stoppedAt: number | undefined;
  const reading: Reading = { skipped: from.lines, size: 0 };
  const importer = new Importer(
    database,
    {
      ...options,
      name: 'import',
      checkpointId,
      afterFailure:
        checkpointId === undefined ? 'What was imported stays.' : 'Run it again: it continues where it was.',
      refuse: (refusals) => refused?.write(refusals),
      report: (done, refusals) => {
        refused?.commit();
        if (stops) stoppedAt = refusals[0]?.line;
        for (const refusal of refusals) if (reasons.length < mostTold) reasons.push(refusalText(refusal));
        const total = input.size && Math.round((done.lines * input.size) / Math.max(1, reading.size));
        progress.report(done.lines, from.lines, total);
      },
    },
    from,
  );
  try {
    const check = documentCheck(allResources, updates);
    const items =
      csv && csvResource
        ? csvItems(input.stream(), csvResource, csv, check, reading)
        : jsonItems(input.stream(), check, reading);
    const done = await importer.run(items);
    return { ...done, reasons, stoppedAt, headerLine: reading.headerLine, wasDone: false };
  } finally {
    progress.end();
    refused?.close();
  }
}

async function startOf(database: Database, id: string, again: boolean): Promise<Checkpoint> {
  const { provider } = database;
  if (again) await database.perform(() => forgetCheckpoint(provider, id));
  return (await database.perform(() => readCheckpoint(provider, id))) ?? noCheckpoint;
}

async function* jsonItems(
  chunks: AsyncIterable<Buffer>,
  check: DocumentCheck,
  reading: Reading,
): AsyncGenerator<ImportItem> {
  for await (const line of inputLines(chunks, reading)) yield itemOf(line, check);
}

const hasOtherEnds =
  'holds several documents, with a carriage return between them; save the file with line feeds, for example by `tr "\\r" "\\n"`';

function itemOf({ line, text, problem }: InputLine, check: DocumentCheck): ImportItem {
  const place = { line, text };
  if (problem !== undefined) return refusedItem(place, problem);
  try {
    return check(place, readJson(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The number of the line in the file is named already.
    if (/\r(?=.*\S)/s.test(text)) return refusedItem(place, hasOtherEnds);
    return refusedItem(place, `is ${error.message.replace('line 1, ', '')}`);
  }
}

/** The file of refused lines: a JSON object in each line, with every reason and the line itself. */
class RefusedLines {
  readonly #file: number;
  /** The bytes that belong to transactions that are committed. */
  #kept = 0;

  /** Goes on with the file of an import that was interrupted behind `lines`. @throws TransferError */
  constructor(path: string, lines: number) {
    const before = lines > 0 && existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    try {
      this.#file = openSync(path, lines > 0 ? 'a' : 'ax', 0o600);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EEXIST') throw new TransferError(`${path} exists. Give another name, or remove it.`);
      throw new TransferError(`${path} cannot be written (${code}).`);
    }
    // A refusal that was written but not committed is found again.
    for (const text of before) if (isUpTo(text, lines)) this.#kept += Buffer.byteLength(text) + 1;
  }

  /** Keeps the refusals of a transaction until it is committed. */
  write(refusals: readonly RefusedLine[]): void {
    ftruncateSync(this.#file, this.#kept);
    const text = refusals.map((refusal) => `${JSON.stringify(shownRefusal(refusal))}\n`).join('');
    if (text !== '') writeFileSync(this.#file, text, { flush: true });
  }

  commit(): void {
    this.#kept = fstatSync(this.#file).size;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function isUpTo(text: string, lines: number): boolean {
  const [, line] = /^\{"line":(\d+),.*\}$/.exec(text) ?? [];
  return line !== undefined && Number(line) <= lines;
}

const shownRefusal = ({ line, text, problems }: RefusedLine) => ({
  line,
  problems: problems.map(({ path, code, message }) => ({ path: pathText(path), code, message })),
  text,
});

/** `line 7: consumedItems[2].itemCode is required` */
const refusalText = ({ line, problems }: RefusedLine): string =>
  problems
    .map(({ path, message }) => visibleLine(`line ${line}: ${[pathText(path), message].filter(Boolean).join(' ')}`))
    .join('\n');

/** `consumedItems[2].itemCode` */
function pathText(path: Problem['path']): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}
