import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { catalogue } from '../../catalogue.js';
import type { Database } from '../../database/open-database.js';
import { datamodel } from '../../generated/datamodel.js';
import { createResources } from '../../model/create-resources.js';
import { continueIds } from '../../records/ids.js';
import { createSchema } from '../../schema/create-schema.js';
import { Progress, type ProgressOptions } from '../progress.js';
import { TransferError, toldError } from '../transfer-error.js';
import { beginning, type Checkpoint, forgetCheckpoint, readCheckpoint } from './checkpoint.js';
import { documentCheck } from './document-check.js';
import { documentItems } from './document-items.js';
import type { Refusal } from './import-item.js';
import { Importer } from './importer.js';
import { inputLines } from './input-lines.js';
import { RefusedLines, refusalText } from './refused-lines.js';

export interface Input {
  stream(): Readable;
  /** In bytes, if it is known. */
  size: number | undefined;
  /** Identifies the input, so that an import of it can be resumed; undefined if it cannot. */
  key: string | undefined;
}

export interface RunImportOptions {
  updates: boolean;
  isDryRun: boolean;
  stops: boolean;
  /** Whether an input that was imported before is imported again. */
  again: boolean;
  /** The file for refused lines. */
  errors: string | undefined;
  progress: Omit<ProgressOptions, 'verb' | 'total'>;
}

export interface Imported extends Omit<Checkpoint, 'isFinished'> {
  /** The first of the refused lines, as texts. */
  reasons: string[];
  /** Whether an earlier run has done all of it. */
  wasDone: boolean;
}

/** The refusals that are told besides those in the file. */
const mostTold = 20;

/** A file is known by all that is in it: one that was corrected is another. @throws TransferError */
export function fileInput(path: string, name: string | undefined): Input {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = statSync(path);
      const key = name === undefined ? `file:${digestOf(file)}` : `name:${name}`;
      return { size, key, stream: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new TransferError(`${path} cannot be read (${code}).`);
  }
}

/** Takes about two seconds for a gigabyte. */
function digestOf(file: number): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(1024 * 1024);
  for (let length = readSync(file, part); length > 0; length = readSync(file, part))
    hash.update(part.subarray(0, length));
  return hash.digest('hex');
}

/** Imports lines of JSON. @throws TransferError */
export async function runImport(
  database: Database & Parameters<typeof continueIds>[0],
  input: Input,
  { updates, isDryRun, stops, again, errors, progress: shownAs }: RunImportOptions,
): Promise<Imported> {
  const resources = createResources(datamodel, catalogue);
  await continueIds(database, resources);
  const checkpointId = isDryRun ? undefined : input.key;
  const from = checkpointId === undefined ? beginning : await startOf(database, checkpointId, again);
  const reasons: string[] = [];
  if (from.isFinished) return { ...from, reasons, wasDone: true };
  const progress = new Progress({ ...shownAs, verb: isDryRun ? 'tried' : 'imported' });
  const refused = errors === undefined ? undefined : new RefusedLines(errors, from.lines);
  let told: readonly Refusal[] = [];
  let bytes = 0;
  const importer = new Importer(
    database,
    {
      by: { keyId: 'import', keyName: 'records import', requestId: 'import', operation: undefined },
      updates,
      isDryRun,
      stops,
      checkpointId,
      refuse: (refusals) => {
        refused?.write(refusals);
        told = refusals;
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
  const lines = inputLines(input.stream(), from.lines);
  async function* counted() {
    for await (const line of lines) {
      bytes = line.bytes;
      yield line;
    }
  }
  try {
    const check = documentCheck(createSchema({ resources }), resources);
    const done = await importer.run(documentItems(counted(), check, { updates }));
    return { ...done, reasons, wasDone: false };
  } catch (error) {
    const goesOn = checkpointId === undefined ? 'What was imported stays.' : 'Run it again: it goes on where it was.';
    throw toldError(error, goesOn);
  } finally {
    progress.end();
    refused?.close();
  }
}

async function startOf(database: Database, id: string, again: boolean): Promise<Checkpoint> {
  const { provider } = database;
  if (again) await database.perform(() => forgetCheckpoint(provider, id));
  return (await database.perform(() => readCheckpoint(provider, id))) ?? beginning;
}
