import type { Inspection } from '../../../database/inspection.js';
import { inspect } from '../../../database/inspection.js';
import { readMigrationStatus } from '../../../database/prepare-database.js';
import { datamodel } from '../../../generated/datamodel.js';
import { catalogue } from '../../../model/catalogue.js';
import { createResources } from '../../../model/create-resources.js';
import type { Resource } from '../../../model/resource.js';
import { typesNamed } from '../document-types.js';
import { Progress, type ProgressOptions } from '../progress.js';
import { failureToPrint, TransferError } from '../transfer-error.js';
import type { Destination } from './destination.js';
import { type DocumentForm, jsonForm } from './document-form.js';
import { exportDocuments } from './export-documents.js';

export interface ExportOptions {
  /** The names of types; empty for all. */
  types: readonly string[];
  withSecrets: boolean;
  /** By default lines of JSON. */
  form?: DocumentForm;
  progress: Omit<ProgressOptions, 'verb' | 'total'>;
}

/**
 * Writes all documents as they are at one moment, while gateways go on writing. Returns how many. @throws TransferError,
 * ReaderGoneError; nothing is left then
 */
export async function runExport(
  url: string,
  destinationOf: () => Destination,
  { types: names, withSecrets, form = jsonForm, progress: shownAs }: ExportOptions,
): Promise<{ documents: number }> {
  const types = typesNamed(createResources(datamodel, catalogue), names);
  if (typeof types === 'string') throw new TransferError(types);
  const work = async (inspection: Inspection) => {
    const total = await countOf(inspection, types);
    const destination = destinationOf();
    // Lines without a record here are not counted.
    const isGuess = types.some(({ kind }) => kind === 'child');
    const progress = new Progress({ ...shownAs, verb: 'exported', total, isGuess });
    let documents = 0;
    try {
      for await (const part of exportDocuments(inspection, types, { withSecrets, form })) {
        await destination.write(part.text, part.type);
        documents += part.documents;
        progress.report(documents);
      }
      await destination.end();
      return { documents };
    } catch (error) {
      destination.abandon();
      // Here, because the inspection would explain it as an error of a start, which says nothing of the file.
      throw failureToPrint(error, 'Nothing was kept; export again.');
    } finally {
      progress.end();
    }
  };
  await requireMigrated(url);
  return inspect(url, false, work);
}

/** How many records there are, by the maintained counts; lines whose record is not stored here are not counted. */
async function countOf({ rows }: Inspection, types: readonly Resource[]): Promise<number> {
  const models = types.map(({ model }) => `'${model}'`).join(', ');
  const [row] = await rows(`SELECT coalesce(sum("count"), 0) FROM "RecordCount" WHERE "model" IN (${models})`);
  return Number(row?.[0]);
}

/**
 * An export of an older or newer database would lack fields without saying so. @throws TransferError,
 * DatabaseStartError
 */
async function requireMigrated(url: string): Promise<void> {
  const { missing } = await readMigrationStatus(url);
  if (missing.length === 0) return;
  throw new TransferError(`The database lacks the migration ${missing[0]}. \`records migrate apply\` applies it.`);
}
