import { counted } from '../../common/output.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import type { RecordModel } from '../../model/catalogue.js';
import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import { allResources } from '../../model/resources.js';
import { sampleDocument } from '../../model/samples/sample-document.js';
import { chanceOf, storyOf } from '../../model/samples/story.js';
import { documentTypes } from './document-types.js';
import { documentCheck } from './import/document-check.js';
import { Importer, type ImportOptions, noCheckpoint, readCheckpoint } from './import/importer.js';
import { Progress, type ShownProgress, TransferError } from './reports.js';

export interface SeedOptions extends Pick<ImportOptions, 'writers'> {
  records: number;
  seed: number;
  /** Whether records are added to a database that holds some already. */
  adds: boolean;
  progress: ShownProgress;
}

/**
 * Writes documents as an import does, and goes on where an earlier run was interrupted: those that it had created `wereThere`.
 * @throws TransferError
 */
export async function runSeed(database: OpenedDatabase, options: SeedOptions) {
  const { records, seed, adds, writers, progress: shownAs } = options;
  const checkpointId = `seed:${seed}:${records}`;
  const found = await database.perform(() => readCheckpoint(database.provider, checkpointId));
  if (!found && !adds) await requireEmpty(database);
  // Of a run that has ended, documents may have been deleted since.
  const from = found && !found.isFinished ? found : noCheckpoint;
  const check = documentCheck(allResources, false);
  const documentOf = seedDocuments(allResources, seed);
  const progress = new Progress({ ...shownAs, verb: 'seeded', total: records });
  const importer = new Importer(
    database,
    {
      name: 'seed',
      writers,
      updates: false,
      isDryRun: false,
      stops: false,
      checkpointId: found?.isFinished ? undefined : checkpointId,
      afterFailure: 'Run it again: it continues where it was.',
      report: ({ lines }) => progress.report(lines, from.lines),
    },
    from,
  );
  async function* items() {
    for (let number = from.lines; number < records; number++) {
      const item = check({ line: number + 1, text: '' }, documentOf(number));
      if (!item.document) {
        throw new Error(`The seeded document ${number} cannot be used: ${JSON.stringify(item.problems)}`);
      }
      yield item;
    }
  }
  try {
    const done = await importer.run(items());
    return { created: done.imported, wereThere: done.refused + done.unchanged };
  } finally {
    progress.end();
  }
}

async function requireEmpty({ read }: OpenedDatabase): Promise<void> {
  const [row] = await read('SELECT coalesce(sum("count"), 0) FROM "RecordCount"', [], 'bounded');
  const count = Number(row?.[0]);
  if (count === 0) return;
  throw new TransferError(
    `The database holds ${counted(count, 'record')} already. --add adds seeded ones to them; or set DATABASE_URL to another one.`,
  );
}

// Documents that look like those of a real business: the same ones for the same seed.

/** How many documents of a type there are for each one of an unlisted type: daily business makes the most. */
const shares: Partial<Record<RecordModel, number>> = {
  Quotation: 12,
  Timesheet: 12,
  JobCard: 12,
  SerialNo: 10,
  AssetRepair: 8,
  SerialAndBatchBundle: 8,
  SubcontractingInwardOrder: 6,
  SubcontractingOrder: 6,
  SigningDocument: 6,
  SigningSignature: 6,
  SalesInvoicePayment: 6,
};

/**
 * The documents are of the two years before the sample data was last looked at: the same for everybody, so that a seed makes the same
 * documents on every day.
 */
const years = { from: Date.UTC(2024, 10, 1), to: Date.UTC(2026, 10, 1) };
const firstSweep = 1000;

/**
 * When a document began. The first thousand are spread over the years in the order of their numbers; the next thousand stand between
 * them, and so on with twice as many each time: few show all of the time, and each sweep is written in the order of its ids.
 */
function begunAt(number: number): number {
  let [first, count] = [0, firstSweep];
  for (; number >= first + count; count = first) first += count;
  const place = (number - first + (first === 0 ? 0 : 0.5)) / count;
  return years.from + Math.floor(place * (years.to - years.from));
}

/** A document by its number from 0. The first ones are of each type once, so that even few show all. */
export function seedDocuments(resources: readonly Resource[], seed: number) {
  const types = documentTypes(resources);
  const many = types.filter(({ kind }) => kind !== 'singleton');
  const drawn = many.flatMap((type) => Array<Resource>(shares[type.model] ?? 1).fill(type));
  return (number: number): Values => {
    const chance = chanceOf(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
    const type = types[number] ?? chance.pick(drawn);
    return sampleDocument(type, chance, storyOf(chance, begunAt(number), number));
  };
}
