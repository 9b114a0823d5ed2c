/** The items of an import from CSV: rows without a value of the document itself bring more lines of the one above. */

import { pipeline } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { counted } from '../../../common/output.js';
import type { Problem } from '../../../model/errors/problem.js';
import type { Resource } from '../../../model/resource.js';
import { TransferError } from '../transfer-error.js';
import { type Cell, type CsvColumn, csvColumns, hasDecimalComma } from './csv-columns.js';
import { checkedItem, type DocumentCheck, type ImportItem, refusedItem } from './document-check.js';
import { type CsvInput, longestLine } from './input.js';

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

/** The rows of a CSV file, at constant memory. */
interface CsvRow {
  /** The line in which it begins, from 1: a text may hold line ends. */
  line: number;
  cells: readonly Cell[];
  /** As it stands in the file. */
  text: string;
}

/** What the parser returns of a row. */
interface ParsedRow {
  raw: string;
  record: Cell[];
  info: { lines: number };
}

/**
 * Rows without a value are left out, but counted. The values are separated by `delimiter`, or by what a first line `sep=;`
 * names. @throws TransferError where the text is not CSV, not UTF-8, or separated otherwise
 */
async function* csvRows(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRow> {
  let parser: Parser | undefined;
  try {
    const { text, rest, separator, lines } = await beginningOf(decoded(chunks), delimiter);
    parser = parse({
      raw: true,
      info: true,
      delimiter: separator,
      // Each ends a row wherever it stands without quotes: a row that was appended on another system has another one.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: longestLine,
      // Without quotes it is null.
      cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    });
    const rows: AsyncIterable<ParsedRow> = parser;
    // Errors reach the code that reads the rows.
    pipeline(joined(text, rest), parser, () => {});
    let before = lines;
    for await (const { raw, record, info } of rows) {
      if (record.some(Boolean)) yield { line: before + 1, cells: record, text: `${withoutEnd(raw)}\n` };
      // The last line of this row.
      before = lines + info.lines;
    }
  } catch (error) {
    if (error instanceof CsvError) throw new TransferError(`This is not CSV: ${reasonOf(error)}.`);
    if (isNotUtf8(error)) throw new TransferError('This is not UTF-8. Save it as CSV in UTF-8.');
    throw error;
  } finally {
    parser?.destroy();
  }
}

/** UTF-8, or the UTF-16 in which Excel saves texts with tabs. */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : 'utf-8', { fatal: true });
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

async function* joined(text: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield text;
  yield* rest;
}

/** What separates values, and what it is called. */
const separators: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** How the option is given that names what separates values. */
const optionFor = (separator: string): string => `--delimiter ${separator === '\t' ? 'tab' : `'${separator}'`}`;

/** The text up to some place behind the first line of names, without the line `sep=;` that may stand above it. */
async function beginningOf(texts: AsyncGenerator<string>, delimiter: string) {
  let text = '';
  const more = async () => {
    const { value, done } = await texts.next();
    if (!done) text += value;
    return !done;
  };
  while (!/[\n\r]./s.test(text) && text.length < longestHeader && (await more()));
  const [mark = '', named] = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text) ?? [];
  text = text.slice(mark.length);
  while (!/[\n\r]/.test(text) && text.length < longestHeader && (await more()));
  const separator = named ?? delimiter;
  // Names of columns contain none of them.
  const [names = ''] = /^[^\n\r]*/.exec(text) ?? [];
  const seen = Object.keys(separators).find((each) => names.includes(each));
  if (seen !== undefined && !names.includes(separator)) throw otherSeparator(seen, separator);
  return { text, rest: texts, separator, lines: mark === '' ? 0 : 1 };
}

const longestHeader = 1024 * 1024;

function otherSeparator(seen: string, expected: string): TransferError {
  const not = separators[expected] ?? JSON.stringify(expected);
  const numbers = seen === ';' ? ', and --decimal-comma numbers such as 12,5' : '';
  return new TransferError(
    `The names in the first line are separated by ${separators[seen]}, not by ${not}. ${optionFor(seen)} reads them${numbers}.`,
  );
}

const isNotUtf8 = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';

/** The parser counts some of the line end to the row. */
function withoutEnd(raw: string): string {
  const text = raw.endsWith('\n') ? raw.slice(0, -1) : raw;
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/**
 * Only the line is taken from the message of the parser: the rest repeats what it has read, which may hold a
 * credential.
 */
function reasonOf({ code, message }: CsvError): string {
  const [place = ''] = /at line \d+/.exec(message) ?? [];
  return [reasons[code] ?? 'it cannot be read', place].filter(Boolean).join(' ');
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a text in quotes has no end',
  INVALID_OPENING_QUOTE: 'a quote stands within a text that has none around it',
  CSV_INVALID_CLOSING_QUOTE: 'something stands behind a closing quote',
  CSV_MAX_RECORD_SIZE: `there is a row of more than ${longestLine} characters`,
};
