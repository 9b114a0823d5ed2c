/** All documents of some types, each with its lines. */

import { StatementBuilder } from '../../../change/statements/statement-builder.js';
import type { Inspection } from '../../../database/inspection.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Field } from '../../../model/field.js';
import type { Lines, Resource } from '../../../model/resource.js';
import { scopeOf } from '../../../query/scope.js';
import { type DocumentForm, type DocumentParts, jsonForm } from './document-form.js';
import { isDocument, type KeyRange, pagesOf } from './pages.js';
import { type RecordText, recordText } from './record-text.js';

/** Some documents of a type, as text that ends with a line end. */
export interface DocumentLines {
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
