/**
 * Divides a table into pages of a few megabytes. The lengths of texts are asked before they are read, which costs little:
 * both databases know them without reading the texts.
 */

import { StatementBuilder } from '../../../change/statements/statement-builder.js';
import type { Inspection } from '../../../database/inspection.js';
import type { Resource } from '../../../model/resource.js';
import { scopeOf } from '../../../query/scope.js';

/** Documents behind `after` up to `upTo`, by their keys. */
export interface KeyRange {
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
export function isDocument({ kind, parents }: Resource): string {
  if (kind === 'singleton') return '"version" > 1';
  const missing = kind === 'child' ? parents.map(({ reference }) => `"${reference}" IS NULL`) : [];
  return missing.length > 0 ? missing.join(' AND ') : '1 = 1';
}
