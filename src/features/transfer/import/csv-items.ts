/** The items of an import from CSV: rows without a value of the document itself bring more lines of the one above. */

import { counted } from '../../../common/output.js';
import type { Problem } from '../../../model/errors/problem.js';
import type { Resource } from '../../../model/resource.js';
import { TransferError } from '../transfer-error.js';
import { checkedItem, refusedItem } from './checked-item.js';
import { type CsvColumn, csvColumns, hasDecimalComma } from './csv-columns.js';
import { type CsvRow, csvRows } from './csv-rows.js';
import type { DocumentCheck } from './document-check.js';
import type { ImportItem } from './import-item.js';
import type { CsvInput } from './input.js';
import { longestLine } from './input-lines.js';

export interface CsvParts extends Omit<CsvInput, 'type'> {
  resource: Resource;
  check: DocumentCheck;
  updates: boolean;
  /** Documents that begin in these lines are left out. */
  skipped: number;
  /** Called with the characters of each row. */
  count(characters: number): unknown;
  /** Called with the line of the names. */
  tellHeader(line: number): unknown;
}

/** @throws TransferError for a file that is not CSV, or not of this type */
export async function* csvItems(chunks: AsyncIterable<Buffer>, parts: CsvParts): AsyncGenerator<ImportItem> {
  const { resource, skipped, count, delimiter, decimalComma } = parts;
  let columns: CsvColumn[] | undefined;
  let open: CsvRow[] = [];
  let isSkipped = false;
  let characters = 0;
  for await (const row of csvRows(chunks, delimiter)) {
    count(row.text.length);
    if (!columns) {
      columns = csvColumns(resource, row.cells, { isQuoted: isQuoted(row), decimalComma });
      parts.tellHeader(row.line);
      continue;
    }
    const hasBegun = isSkipped || open.length > 0;
    const goesOn = hasBegun && columns.every(({ list }, place) => list !== undefined || !row.cells[place]);
    if (!goesOn) {
      if (open.length > 0) yield itemOf(open, columns, parts);
      [open, characters] = [[], 0];
      isSkipped = row.line <= skipped;
    }
    if (isSkipped) continue;
    characters += row.text.length;
    if (characters > longestLine) throw new TransferError(`The document in line ${open[0]?.line} is too long.`);
    open.push(row);
  }
  if (!columns) throw new TransferError('The file is empty. Its first line names the columns.');
  if (open.length > 0) yield itemOf(open, columns, parts);
}

/** Whether every value of the line of names is in quotes: apart from its names it then has three characters for each. */
const isQuoted = ({ text, cells }: CsvRow): boolean =>
  text.length === cells.reduce((sum, cell) => sum + (cell ?? '').length + 3, 0);

function itemOf(rows: readonly CsvRow[], columns: readonly CsvColumn[], parts: CsvParts): ImportItem {
  const { resource, check, updates, decimalComma } = parts;
  const place = { line: rows[0]?.line ?? 0, text: rows.map(({ text }) => text).join('') };
  const uneven = rows.find(({ cells }) => cells.length !== columns.length);
  if (uneven) {
    return refusedItem(
      place,
      `has ${counted(uneven.cells.length, 'column')} in line ${uneven.line}, not ${columns.length}`,
    );
  }
  const item = checkedItem(place, documentOf(rows, columns, resource), check, updates);
  if (item.problems.length === 0 || decimalComma) return item;
  const isMistaken = columns.some(
    (column, index) => column.isNumber && rows.some(({ cells }) => hasDecimalComma(cells[index])),
  );
  return isMistaken ? { ...item, problems: item.problems.map(withHint) } : item;
}

const withHint = (problem: Problem): Problem =>
  /^must be a (whole )?number/.test(problem.message)
    ? { ...problem, message: `${problem.message}; --decimal-comma reads 12,5 as a number` }
    : problem;

function documentOf(rows: readonly CsvRow[], columns: readonly CsvColumn[], { model }: Resource): object {
  const document: Record<string, unknown> = { __typename: model };
  const lists = new Map<string, object[]>();
  for (const { list } of columns) if (list !== undefined) lists.set(list, []);
  for (const [index, { cells }] of rows.entries()) {
    const lines = new Map<string, Record<string, unknown>>();
    const filled = new Set<string>();
    for (const [place, { list, name, read }] of columns.entries()) {
      const cell = cells[place] ?? null;
      if (list === undefined) {
        const value = read(cell);
        if (index === 0 && value !== undefined) document[name] = value;
        continue;
      }
      const line = lines.get(list) ?? {};
      const value = read(cell);
      if (value !== undefined) line[name] = value;
      lines.set(list, line);
      if (cell) filled.add(list);
    }
    for (const [list, line] of lines) if (filled.has(list)) lists.get(list)?.push(line);
  }
  return Object.assign(document, Object.fromEntries(lists));
}
