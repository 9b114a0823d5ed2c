import { type Inspection, inspect } from '../../../database/inspection.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import { readMigrationStatus } from '../../../database/prepare-database.js';
import { StatementBuilder } from '../../../database/statement-builder.js';
import { datamodel } from '../../../generated/datamodel.js';
import { catalogue } from '../../../model/catalogue.js';
import { createResources } from '../../../model/create-resources.js';
import type { Field } from '../../../model/field.js';
import type { Lines, Resource } from '../../../model/resource.js';
import { scopeOf } from '../../../query/scope.js';
import { typesNamed } from '../document-types.js';
import { Progress, type ProgressOptions } from '../progress.js';
import { failureToPrint, TransferError } from '../transfer-error.js';
import type { Destination } from './destination.js';
import { type DocumentForm, type DocumentParts, jsonForm, type RecordText, recordText } from './document-form.js';

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

/** All documents of some types, each with its lines. */

/** Some documents of a type, as text that ends with a line end. */
interface DocumentLines {
  type: string;
  text: string;
  documents: number;
}

interface ExportForm {
  withSecrets: boolean;
  /** By default lines of JSON. */
  form?: DocumentForm;
}

export async function* exportDocuments(
  inspection: Inspection,
  types: readonly Resource[],
  { withSecrets, form = jsonForm }: ExportForm,
): AsyncGenerator<DocumentLines> {
  const isHidden = ({ secret }: Field) => secret && !withSecrets;
  for (const resource of types) {
    const parts = partsOf(inspection, resource, isHidden, form);
    const { type } = parts;
    const read = resource.kind === 'child' ? lineReader : recordReader;
    const head = form.head(parts);
    if (head !== '') yield { type, text: head, documents: 0 };
    for await (const page of pagesOf(inspection, resource)) {
      const documents = await read(inspection, resource, parts, page);
      const text = documents.map(({ own, lists }) => form.document(parts, own, lists)).join('');
      yield { type, text, documents: documents.length };
    }
  }
}

interface DocumentText {
  own: string;
  /** The texts of the lines of each list. */
  lists: string[][];
}

interface ReadParts extends DocumentParts {
  lists: readonly (Lines & { text: RecordText })[];
}

function partsOf(
  { provider }: Inspection,
  resource: Resource,
  isHidden: (field: Field) => boolean,
  form: DocumentForm,
): ReadParts {
  const isStandAlone = resource.kind === 'child';
  return {
    type: resource.model,
    own: recordText(provider, resource, isHidden, form),
    lists: isStandAlone
      ? []
      : resource.lines.map((lines) => ({ ...lines, text: textOfLines(provider, lines, isHidden, form) })),
  };
}

/** The documents of a page. */
async function recordReader(
  inspection: Inspection,
  resource: Resource,
  { own, lists }: ReadParts,
  page: KeyRange,
): Promise<DocumentText[]> {
  const select = `SELECT "id", ${own.columns.join(', ')} FROM "${resource.model}"`;
  const rows = await rowsOf(inspection, select, 'id', page, '"id"', isDocument(resource));
  const documents = rows.map((row): DocumentText => ({ own: own.textOf(row, 1), lists: [] }));
  for (const list of lists) {
    const found = await linesOf(inspection, list, page);
    for (const [index, row] of rows.entries()) documents[index]?.lists.push(found.get(String(row[0])) ?? []);
  }
  return documents;
}

/** A line stands in the list of its parent, in its place. */
function textOfLines(
  provider: Provider,
  { resource }: Lines,
  isHidden: (field: Field) => boolean,
  form: DocumentForm,
): RecordText {
  const fromPlace = new Set([scopeOf(resource), 'idx', 'parentType']);
  return recordText(provider, resource, (field) => fromPlace.has(field.name) || isHidden(field), form);
}

/** The lines of the documents of a page, by the ids of the documents. */
async function linesOf(
  inspection: Inspection,
  { resource, reference, text }: Lines & { text: RecordText },
  page: KeyRange,
): Promise<Map<string, string[]>> {
  const select = `SELECT "${reference}", ${text.columns.join(', ')} FROM "${resource.model}"`;
  const rows = await rowsOf(inspection, select, reference, page, `"${reference}", "idx", "id"`);
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const parent = String(row[0]);
    const line = text.textOf(row, 1);
    const known = found.get(parent);
    if (known) known.push(line);
    else found.set(parent, [line]);
  }
  return found;
}

async function lineReader(
  inspection: Inspection,
  resource: Resource,
  { own }: ReadParts,
  page: KeyRange,
): Promise<DocumentText[]> {
  const scope = scopeOf(resource);
  const select = `SELECT ${own.columns.join(', ')} FROM "${resource.model}"`;
  const rows = await rowsOf(inspection, select, scope, page, `"${scope}", "idx", "id"`, isDocument(resource));
  return rows.map((row) => ({ own: own.textOf(row, 0), lists: [] }));
}

function rowsOf(
  { provider, rows }: Inspection,
  select: string,
  key: string,
  { after, upTo }: KeyRange,
  order: string,
  condition = '1 = 1',
) {
  const text = new StatementBuilder(provider);
  const range = `"${key}" > ${text.bind(after)} AND "${key}" <= ${text.bind(upTo)}`;
  return rows(`${select} WHERE ${range} AND ${condition} ORDER BY ${order}`, text.values);
}

/**
 * Divides a table into pages of a few megabytes. The lengths of texts are asked before they are read, which costs little:
 * both databases know them without reading the texts.
 */

/** Documents behind `after` up to `upTo`, by their keys. */
interface KeyRange {
  after: string;
  upTo: string;
}

/**
 * The most bytes of a page, unless its first document alone has more, and the most documents. With 500 documents an export
 * takes up to 1.6 times as long: the values of a page are then still in use when V8 collects young objects, and are copied.
 */
const mostBytes = 2 * 1024 * 1024;
const mostDocuments = 128;

/** About what a value takes besides the characters of texts. */
const bytesOfValue = 16;

export async function* pagesOf(inspection: Inspection, resource: Resource): AsyncGenerator<KeyRange> {
  let after = '';
  for (;;) {
    const text = new StatementBuilder(inspection.provider);
    const sizes = await inspection.rows(sizesSql(text, resource, after), text.values);
    let bytes = 0;
    let upTo: string | undefined;
    for (const [key, size] of sizes) {
      bytes += Number(size);
      if (upTo !== undefined && bytes > mostBytes) break;
      upTo = String(key);
    }
    if (upTo === undefined) return;
    yield { after, upTo };
    after = upTo;
  }
}

function sizesSql(text: StatementBuilder, resource: Resource, after: string): string {
  const { model, lines } = resource;
  if (resource.kind === 'child') {
    const scope = scopeOf(resource);
    return `SELECT "${scope}", sum(${sizeOf(resource)}) FROM "${model}"
      WHERE "${scope}" > ${text.bind(after)} AND ${isDocument(resource)}
      GROUP BY "${scope}" ORDER BY "${scope}" LIMIT ${mostDocuments}`;
  }
  const ofLines = lines.map(
    ({ resource: line, reference }) =>
      `(SELECT coalesce(sum(${sizeOf(line)}), 0) FROM "${line.model}" WHERE "${line.model}"."${reference}" = "${model}"."id")`,
  );
  return `SELECT "id", ${[sizeOf(resource), ...ofLines].join(' + ')} FROM "${model}"
    WHERE "id" > ${text.bind(after)} AND ${isDocument(resource)} ORDER BY "id" LIMIT ${mostDocuments}`;
}

function sizeOf({ model, fields }: Resource): string {
  const texts = fields.filter(({ type }) => type === 'String');
  const lengths = texts.map(({ name }) => `coalesce(octet_length("${model}"."${name}"), 0)`);
  return [String(bytesOfValue * (fields.length + 4)), ...lengths].join(' + ');
}

/**
 * The condition of a document: of a line, that its parent is not stored here; of settings, that somebody has ever set
 * them, because until then there is nothing to export.
 */
function isDocument({ kind, parents }: Resource): string {
  if (kind === 'singleton') return '"version" > 1';
  const missing = kind === 'child' ? parents.map(({ reference }) => `"${reference}" IS NULL`) : [];
  return missing.length > 0 ? missing.join(' AND ') : '1 = 1';
}
