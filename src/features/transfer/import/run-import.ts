import type { Database } from '../../../database/open-database.js';
import { datamodel } from '../../../generated/datamodel.js';
import { createSchema } from '../../../graphql/create-schema.js';
import { catalogue } from '../../../model/catalogue.js';
import { createResources } from '../../../model/create-resources.js';
import { continueIds } from '../../../query/ids.js';
import { typeNamed } from '../document-types.js';
import { Progress, type ProgressOptions } from '../progress.js';
import { failureToPrint } from '../transfer-error.js';
import { type Checkpoint, forgetCheckpoint, noCheckpoint, readCheckpoint } from './checkpoint.js';
import { csvItems } from './csv-items.js';
import { documentCheck } from './document-check.js';
import { documentItems } from './document-items.js';
import type { RefusedLine } from './import-item.js';
import { Importer, type ImportOptions } from './importer.js';
import type { Input } from './input.js';
import { inputLines } from './input-lines.js';
import { RefusedLines, refusalText } from './refused-lines.js';

export interface RunImportOptions {
  updates: boolean;
  isDryRun: boolean;
  stops: boolean;
  /** Whether an input that was imported before is imported again. */
  again: boolean;
  /** The file for refused lines. */
  errors: string | undefined;
  /** The rules of record types instead of the gateway's own. */
  rules?: ImportOptions['rules'];
  progress: Omit<ProgressOptions, 'verb' | 'total'>;
}

export interface Imported extends Omit<Checkpoint, 'isFinished'> {
  /** The first of the refused lines, as texts. */
  reasons: string[];
  /** The refused line at which it has stopped. */
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
  { updates, isDryRun, stops, again, errors, rules, progress: shownAs }: RunImportOptions,
): Promise<Imported> {
  const resources = createResources(datamodel, catalogue);
  const { csv } = input;
  const csvResource = csv && typeNamed(resources, csv.type);
  await continueIds(database, resources);
  const checkpointId = isDryRun ? undefined : input.key;
  const from = checkpointId === undefined ? noCheckpoint : await startOf(database, checkpointId, again);
  const reasons: string[] = [];
  if (from.isFinished) return { ...from, reasons, wasDone: true };
  const progress = new Progress({ ...shownAs, verb: isDryRun ? 'tried' : 'imported', isGuess: true });
  const refused = errors === undefined ? undefined : new RefusedLines(errors, from.lines);
  let told: readonly RefusedLine[] = [];
  let stoppedAt: number | undefined;
  let headerLine: number | undefined;
  let bytes = 0;
  const importer = new Importer(
    database,
    {
      by: { keyId: 'import', keyName: 'records import', requestId: 'import', operation: undefined },
      rules,
      updates,
      isDryRun,
      stops,
      checkpointId,
      refuse: (refusals) => {
        refused?.write(refusals);
        told = refusals;
        if (stops) stoppedAt = refusals[0]?.line;
      },
      report: (done) => {
        refused?.commit();
        for (const refusal of told) if (reasons.length < mostTold) reasons.push(refusalText(refusal));
        told = [];
        const total = input.size === undefined ? undefined : Math.round((done.lines * input.size) / Math.max(1, bytes));
        progress.report(done.lines, from.lines, total);
      },
    },
    from,
  );
  async function* counted() {
    for await (const line of inputLines(input.stream(), from.lines)) {
      bytes = line.bytes;
      yield line;
    }
  }
  try {
    const check = documentCheck(createSchema({ resources }), resources);
    const items =
      csv && csvResource
        ? csvItems(input.stream(), {
            ...csv,
            resource: csvResource,
            check,
            updates,
            skipped: from.lines,
            count: (characters) => (bytes += characters),
            tellHeader: (line) => (headerLine = line),
          })
        : documentItems(counted(), check, { updates });
    const done = await importer.run(items);
    return { ...done, reasons, stoppedAt, headerLine, wasDone: false };
  } catch (error) {
    const goesOn = checkpointId === undefined ? 'What was imported stays.' : 'Run it again: it continues where it was.';
    throw failureToPrint(error, goesOn);
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
