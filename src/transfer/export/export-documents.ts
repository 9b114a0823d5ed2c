/** All documents of some types, each with its lines, as a JSON object in a line. */
import type { Inspection } from '../../database/inspection.js';
import type { Field } from '../../model/field.js';
import type { Lines, Resource } from '../../model/resource.js';
import { StatementBuilder } from '../../records/change/statement-builder.js';
import { scopeOf } from '../../records/scope.js';
import { isDocument, type Page, pagesOf } from './pages.js';
import { type RecordText, recordText } from './record-text.js';

/** Some documents, as text that ends with a line end. */
export interface DocumentLines {
  text: string;
  documents: number;
}

export async function* exportDocuments(
  inspection: Inspection,
  types: readonly Resource[],
  { withSecrets }: { withSecrets: boolean },
): AsyncGenerator<DocumentLines> {
  const isHidden = ({ secret }: Field) => secret && !withSecrets;
  for (const type of types) {
    const isChild = type.kind === 'child';
    const reader = isChild ? lineReader(inspection, type, isHidden) : recordReader(inspection, type, isHidden);
    for await (const page of pagesOf(inspection, type)) {
      const documents = await reader(page);
      const text = documents.map((members) => `{"__typename":"${type.model}",${members}}\n`).join('');
      yield { text, documents: documents.length };
    }
  }
}

/** The members of each document of a page. */
type Reader = (page: Page) => Promise<string[]>;

function recordReader(inspection: Inspection, type: Resource, isHidden: (field: Field) => boolean): Reader {
  const text = recordText(inspection.provider, type, isHidden);
  const lists = type.lines.map((lines) => ({ ...lines, text: textOfLines(inspection, lines, isHidden) }));
  return async (page) => {
    const select = `SELECT ${text.columns.join(', ')} FROM "${type.model}"`;
    const rows = await rowsOf(inspection, select, 'id', page, '"id"', isDocument(type));
    const documents = rows.map((row) => text.membersOf(row, 0));
    for (const list of lists) {
      const found = await linesOf(inspection, list, page);
      for (const [index, row] of rows.entries()) {
        const lines = found.get(String(row[0]));
        documents[index] += `,"${list.field}":[${lines?.map((line) => `{${line}}`).join(',') ?? ''}]`;
      }
    }
    return documents;
  };
}

/** A line stands in the list of its parent, in its place. */
function textOfLines({ provider }: Inspection, { resource }: Lines, isHidden: (field: Field) => boolean): RecordText {
  const fromPlace = new Set([scopeOf(resource), 'idx', 'parentType']);
  return recordText(provider, resource, (field) => fromPlace.has(field.name) || isHidden(field));
}

/** The lines of the documents of a page, by the ids of the documents. */
async function linesOf(
  inspection: Inspection,
  { resource, reference, text }: Lines & { text: RecordText },
  page: Page,
): Promise<Map<string, string[]>> {
  const select = `SELECT "${reference}", ${text.columns.join(', ')} FROM "${resource.model}"`;
  const rows = await rowsOf(inspection, select, reference, page, `"${reference}", "idx", "id"`);
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const parent = String(row[0]);
    const line = text.membersOf(row, 1);
    const known = found.get(parent);
    if (known) known.push(line);
    else found.set(parent, [line]);
  }
  return found;
}

function lineReader(inspection: Inspection, type: Resource, isHidden: (field: Field) => boolean): Reader {
  const text = recordText(inspection.provider, type, isHidden);
  const scope = scopeOf(type);
  const select = `SELECT ${text.columns.join(', ')} FROM "${type.model}"`;
  return async (page) => {
    const rows = await rowsOf(inspection, select, scope, page, `"${scope}", "idx", "id"`, isDocument(type));
    return rows.map((row) => text.membersOf(row, 0));
  };
}

function rowsOf(
  { provider, rows }: Inspection,
  select: string,
  key: string,
  { after, upTo }: Page,
  order: string,
  condition = '1 = 1',
) {
  const text = new StatementBuilder(provider);
  const range = `"${key}" > ${text.bind(after)} AND "${key}" <= ${text.bind(upTo)}`;
  return rows(`${select} WHERE ${range} AND ${condition} ORDER BY ${order}`, text.values);
}
