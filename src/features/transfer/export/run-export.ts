import { type Inspection, inspect } from '../../../database/inspection.js';
import { readMigrationStatus } from '../../../database/prepare-database.js';
import { StatementBuilder } from '../../../database/statement-builder.js';
import type { Field } from '../../../model/field.js';
import { type Resource, scopeOf } from '../../../model/resource.js';
import { allResources } from '../../../model/resources.js';
import { typesNamed } from '../document-types.js';
import { failureToPrint, Progress, type ShownProgress, TransferError } from '../reports.js';
import type { Destination } from './destination.js';
import { type DocumentForm, jsonForm, type RecordText, recordText } from './document-form.js';

export interface ExportOptions {
  /** The names of types; empty for all. */
  types: readonly string[];
  withSecrets: boolean;
  /** By default lines of JSON. */
  form?: DocumentForm;
  progress: ShownProgress;
}

/**
 * Writes all documents as they are at one moment, while gateways go on writing. Returns how many. @throws TransferError,
 * ReaderGoneError; nothing is left then
 */
export async function runExport(
  url: string,
  destinationOf: () => Destination,
  { types: names, progress: shownAs, ...form }: ExportOptions,
): Promise<{ documents: number }> {
  const types = typesNamed(allResources, names);
  await requireMigrated(url);
  return inspect(url, false, async (inspection) => {
    const total = await countOf(inspection, types);
    const destination = destinationOf();
    // Lines without a record here are not counted.
    const isGuess = types.some(({ kind }) => kind === 'child');
    const progress = new Progress({ ...shownAs, verb: 'exported', total, isGuess });
    let documents = 0;
    try {
      for await (const part of exportDocuments(inspection, types, form)) {
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
  });
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

/** All documents of some types, each with its lines: some of a type at a time, as text that ends with a line end. */
export async function* exportDocuments(
  inspection: Inspection,
  types: readonly Resource[],
  { withSecrets, form = jsonForm }: Pick<ExportOptions, 'withSecrets' | 'form'>,
): AsyncGenerator<{ type: string; text: string; documents: number }> {
  const textOf = (resource: Resource, fromPlace: readonly string[] = []) => {
    const isLeftOut = ({ name, secret }: Field) => fromPlace.includes(name) || (secret && !withSecrets);
    return recordText(inspection.provider, resource, isLeftOut, form);
  };
  for (const resource of types) {
    const type = resource.model;
    // A line stands in the list of its parent, in its place.
    const lists = resource.lines.map(({ resource: line, field, reference }) => {
      return { field, line, reference, text: textOf(line, [scopeOf(line), 'idx', 'parentType']) };
    });
    const own = textOf(resource);
    const parts = { type, own, lists };
    const head = form.head(parts);
    if (head !== '') yield { type, text: head, documents: 0 };
    for await (const page of pagesOf(inspection, resource)) {
      const documents = await textsOf(inspection, resource, keyOf(resource), own, page, isDocument(resource));
      const linesOf: Map<string, string[]>[] = [];
      for (const { line, reference, text } of lists) {
        const lines = new Map(documents.map(([id]): [string, string[]] => [id, []]));
        for (const [id, ofLine] of await textsOf(inspection, line, reference, text, page)) lines.get(id)?.push(ofLine);
        linesOf.push(lines);
      }
      const texts = documents.map(([id, text]) => {
        const lines = linesOf.map((each) => each.get(id) ?? []);
        return form.document(parts, text, lines);
      });
      yield { type, text: texts.join(''), documents: documents.length };
    }
  }
}

/** The texts of the records whose keys are in a page, in their order, each behind its key. */
async function textsOf(
  { provider, rows }: Inspection,
  { model, kind }: Resource,
  key: string,
  { columns, textOf }: RecordText,
  { after, upTo }: KeyRange,
  condition = '1 = 1',
): Promise<[string, string][]> {
  const text = new StatementBuilder(provider);
  const order = kind === 'child' ? `"${key}", "idx", "id"` : `"${key}"`;
  const found = await rows(
    `SELECT "${key}", ${columns.join(', ')} FROM "${model}"
      WHERE "${key}" > ${text.bind(after)} AND "${key}" <= ${text.bind(upTo)} AND ${condition} ORDER BY ${order}`,
    text.values,
  );
  return found.map((row) => [String(row[0]), textOf(row, 1)]);
}

/** What divides the documents of a type into pages: of lines that stand alone, those of one parent are together. */
const keyOf = (resource: Resource): string => (resource.kind === 'child' ? scopeOf(resource) : 'id');

// Divides a table into pages of a few megabytes. The lengths of texts are asked before they are read, which costs little:
// both databases know them without reading the texts.

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
  const { model, kind, lines } = resource;
  const key = keyOf(resource);
  const ofLines = lines.map(
    ({ resource: line, reference }) =>
      `(SELECT coalesce(sum(${sizeOf(line)}), 0) FROM "${line.model}" WHERE "${line.model}"."${reference}" = "${model}"."id")`,
  );
  const [size, groups] =
    kind === 'child'
      ? [`sum(${sizeOf(resource)})`, `GROUP BY "${key}"`]
      : [[sizeOf(resource), ...ofLines].join(' + '), ''];
  return `SELECT "${key}", ${size} FROM "${model}" WHERE "${key}" > ${text.bind(after)} AND ${isDocument(resource)}
    ${groups} ORDER BY "${key}" LIMIT ${mostDocuments}`;
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
