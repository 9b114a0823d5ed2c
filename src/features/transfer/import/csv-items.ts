/** The items of an import from CSV: rows without a value of the document itself bring more lines of the one above. */

import { pipeline } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { nearest } from '../../../common/nearest.js';
import { counted } from '../../../common/output.js';
import { systemCode } from '../../../common/write-problem.js';
import type { Problem } from '../../../model/errors/problem.js';
import type { FieldType } from '../../../model/field.js';
import { isDocumentStatus } from '../../../model/lifecycle.js';
import { authorColumns, type Resource, scopeOf } from '../../../model/resource.js';
import { textIn } from '../export/document-form.js';
import { TransferError } from '../reports.js';
import { type DocumentCheck, type ImportItem, refusedItem } from './document-check.js';
import { type CsvInput, longestLine, type Reading } from './input.js';

/** @throws TransferError for a file that is not CSV, or not of this type */
export async function* csvItems(
  chunks: AsyncIterable<Buffer>,
  resource: Resource,
  { delimiter, decimalComma }: CsvInput,
  check: DocumentCheck,
  reading: Reading,
): AsyncGenerator<ImportItem> {
  let columns: CsvColumns | undefined;
  let open: CsvRow[] = [];
  let isSkipped = false;
  let characters = 0;
  for await (const row of csvRows(chunks, delimiter)) {
    reading.size += row.text.length;
    if (!columns) {
      columns = csvColumns(resource, row, decimalComma);
      reading.headerLine = row.line;
      continue;
    }
    const hasBegun = isSkipped || open.length > 0;
    const goesOn = hasBegun && !hasValue(row, columns.own);
    if (!goesOn) {
      if (open.length > 0) yield itemOf(open, columns);
      [open, characters] = [[], 0];
      isSkipped = row.line <= reading.skipped;
    }
    if (isSkipped) continue;
    characters += row.text.length;
    if (characters > longestLine) throw new TransferError(`The document in line ${open[0]?.line} is too long.`);
    open.push(row);
  }
  if (!columns) throw new TransferError('The file is empty. Its first line names the columns.');
  if (open.length > 0) yield itemOf(open, columns);

  function itemOf(rows: readonly CsvRow[], columns: CsvColumns): ImportItem {
    const { all } = columns;
    const place = { line: rows[0]?.line ?? 0, text: rows.map(({ text }) => text).join('') };
    const uneven = rows.find(({ cells }) => cells.length !== all.length);
    if (uneven) {
      const message = `has ${counted(uneven.cells.length, 'column')} in line ${uneven.line}, not ${all.length}`;
      return refusedItem(place, message);
    }
    const item = check(place, documentOf(rows, columns, resource));
    if (item.problems.length === 0 || decimalComma) return item;
    const numbers = all.filter(({ isNumber }) => isNumber);
    const isMistaken = rows.some(({ cells }) => numbers.some(({ place }) => hasDecimalComma(cells[place])));
    return isMistaken ? { ...item, problems: item.problems.map(withHint) } : item;
  }
}

const withHint = (problem: Problem): Problem =>
  /^must be a (whole )?number/.test(problem.message)
    ? { ...problem, message: `${problem.message}; --decimal-comma reads 12,5 as a number` }
    : problem;

function documentOf(rows: readonly CsvRow[], { own, lists }: CsvColumns, { model }: Resource): object {
  const document: Record<string, unknown> = { __typename: model, ...(rows[0] && valuesIn(rows[0], own)) };
  for (const [list, columns] of lists) {
    document[list] = rows.filter((row) => hasValue(row, columns)).map((row) => valuesIn(row, columns));
  }
  return document;
}

const hasValue = ({ cells }: CsvRow, columns: readonly CsvColumn[]): boolean =>
  columns.some(({ place }) => cells[place]);

function valuesIn({ cells }: CsvRow, columns: readonly CsvColumn[]): object {
  const values: Record<string, unknown> = {};
  for (const { place, name, read } of columns) {
    const value = read(cells[place] ?? null);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** A value of a cell: null where nothing stands between two commas, not even `""`. */
type Cell = string | null;

interface CsvColumn {
  /** Its place in the rows. */
  place: number;
  /** The list that it belongs to; undefined for the document itself. */
  list: string | undefined;
  name: string;
  isNumber: boolean;
  /**
   * The value of a cell. A text that is no value of the type stays as it is, and is refused later. Undefined where the
   * field is left out: it cannot be null, and has a value without being given one.
   */
  read(cell: Cell): unknown;
}

interface CsvColumns {
  all: readonly CsvColumn[];
  /** Those of the document itself. */
  own: readonly CsvColumn[];
  lists: ReadonlyMap<string, readonly CsvColumn[]>;
}

/** @throws TransferError for columns that the type does not have */
function csvColumns(resource: Resource, header: CsvRow, decimalComma: boolean): CsvColumns {
  const known = knownColumns(resource, isQuoted(header), decimalComma);
  const seen = new Set<string>();
  const all = header.cells.map((cell, place): CsvColumn => {
    const name = cell ?? '';
    if (name === '')
      throw new TransferError(`Column ${place + 1} has no name in the first line. Name it, or remove it.`);
    const column = known.get(name);
    if (!column) throw new TransferError(unknownColumn(resource, name, [...known.keys()]));
    if (seen.has(name)) throw new TransferError(`The first line names the column ${name} twice.`);
    seen.add(name);
    return { ...column, place };
  });
  const inLists = resource.lines.map(({ field }) => [field, all.filter(({ list }) => list === field)] as const);
  return {
    all,
    own: all.filter(({ list }) => list === undefined),
    lists: new Map(inLists.filter(([, columns]) => columns.length > 0)),
  };
}

/** Whether every value is in quotes, so that `""` is also written for null: the text then has three more characters for each. */
const isQuoted = ({ text, cells }: CsvRow): boolean =>
  text.length === cells.reduce((sum, cell) => sum + (cell ?? '').length + 3, 0);

function unknownColumn({ model }: Resource, name: string, known: readonly string[]): string {
  const shown = name.slice(0, 100);
  const meant = nearest(shown, known);
  const hint = meant ? ` Did you mean ${meant}?` : ' The first line of the file names the columns.';
  return `${model} has no column ${JSON.stringify(shown)}.${hint}`;
}

/** Fields of a type, and of its lists of lines as `consumedItems.itemCode`. */
function knownColumns(resource: Resource, isQuoted: boolean, decimalComma: boolean) {
  const columns = new Map<string, Omit<CsvColumn, 'place'>>();
  const readers = readersOf(decimalComma);
  const add = (list: string | undefined, part: Resource, without: readonly string[]) => {
    const set = (name: string, type: FieldType, nothing: null | undefined, empty: '' | null | undefined) => {
      const readText = readers[type];
      const read = (cell: Cell) => (cell === null ? nothing : cell === '' ? empty : readText(cell));
      columns.set(list === undefined ? name : `${list}.${name}`, {
        list,
        name,
        isNumber: type === 'Int' || type === 'Float',
        read,
      });
    };
    const setBrought = (name: string, type: FieldType) => set(name, type, undefined, undefined);
    setBrought('id', 'String');
    setBrought('version', 'Int');
    if (part.timestamps) for (const name of ['createdAt', 'updatedAt', ...authorColumns]) setBrought(name, 'String');
    for (const field of part.fields) {
      if (without.includes(field.name)) continue;
      const { name, type, nullable, required } = field;
      const nothing = nullable || required ? null : undefined;
      const mayBeEmpty = type === 'String' && !isDocumentStatus(part, name);
      set(name, type, nothing, mayBeEmpty && !(isQuoted && nullable) ? '' : nothing);
    }
  };
  add(undefined, resource, []);
  for (const { resource: line, field } of resource.lines) add(field, line, [scopeOf(line), 'idx', 'parentType']);
  return columns;
}

/** Whether a cell holds a number with a decimal comma, perhaps with points between thousands. */
const hasDecimalComma = (cell: Cell | undefined): boolean => /^-?[\d.]{1,400},\d{1,400}$/.test(cell ?? '');

function readersOf(decimalComma: boolean): Record<FieldType, (cell: string) => unknown> {
  const form = decimalComma
    ? /^-?\d{1,400}(,\d{1,400})?([eE][+-]?\d{1,3})?$/
    : /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/;
  const number = (cell: string) => (form.test(cell) ? Number(cell.replace(',', '.')) : cell);
  return {
    String: textIn,
    Int: number,
    Float: number,
    Boolean: (cell) => booleans[cell.toLowerCase()] ?? cell,
  };
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

interface CsvRow {
  /** The line in which it begins, from 1: a text may hold line ends. */
  line: number;
  cells: readonly Cell[];
  /** As it stands in the file. */
  text: string;
}

/**
 * Rows without a value are left out, but counted. The values are separated by `delimiter`, or by what a first line `sep=;`
 * names. @throws TransferError where the text is not CSV, not UTF-8, or separated otherwise
 */
async function* csvRows(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRow> {
  let parser: Parser | undefined;
  try {
    const { whole, separator, lines } = await beginningOf(decoded(chunks), delimiter);
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
    const rows: AsyncIterable<{ raw: string; record: Cell[]; info: { lines: number } }> = parser;
    // Errors reach the code that reads the rows.
    pipeline(whole, parser, () => {});
    let before = lines;
    for await (const { raw, record, info } of rows) {
      // The parser counts some of the line end to the row.
      if (record.some(Boolean)) yield { line: before + 1, cells: record, text: `${raw.replace(/\r?\n?$/, '')}\n` };
      // The last line of this row.
      before = lines + info.lines;
    }
  } catch (error) {
    if (error instanceof CsvError) throw new TransferError(`This is not CSV: ${reasonOf(error)}.`);
    if (systemCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new TransferError('This is not UTF-8. Save it as CSV in UTF-8.');
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

/** What separates values, and what it is called. */
const separators: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** How the option is given that names what separates values. */
const optionFor = (separator: string): string => `--delimiter ${separator === '\t' ? 'tab' : `'${separator}'`}`;

/** What the line of names says, and the texts without the line `sep=;` that may stand above it. */
async function beginningOf(texts: AsyncGenerator<string>, delimiter: string) {
  let text = '';
  const more = async () => {
    const { value, done } = await texts.next();
    text += value ?? '';
    return !done;
  };
  // Two lines that are not empty: the first may be that mark.
  while (!/[\n\r][^\n\r]+[\n\r]/.test(text) && text.length < longestHeader && (await more()));
  const [mark = '', named] = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text) ?? [];
  text = text.slice(mark.length);
  const separator = named ?? delimiter;
  // Names of columns contain none of them.
  const [names = ''] = /^[^\n\r]*/.exec(text) ?? [];
  const seen = Object.keys(separators).find((each) => names.includes(each));
  if (seen !== undefined && !names.includes(separator)) throw otherSeparator(seen, separator);
  const whole = async function* () {
    yield text;
    yield* texts;
  };
  return { whole, separator, lines: mark === '' ? 0 : 1 };
}

const longestHeader = 1024 * 1024;

function otherSeparator(seen: string, expected: string): TransferError {
  const not = separators[expected] ?? JSON.stringify(expected);
  const numbers = seen === ';' ? ', and --decimal-comma numbers such as 12,5' : '';
  return new TransferError(
    `The names in the first line are separated by ${separators[seen]}, not by ${not}. ${optionFor(seen)} reads them${numbers}.`,
  );
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
