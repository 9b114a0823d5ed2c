/** The rows of a CSV file, at constant memory. */
import { pipeline } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { TransferError } from '../transfer-error.js';
import type { Cell } from './csv-columns.js';
import { longestLine } from './input-lines.js';

export interface CsvRow {
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
export async function* csvRows(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRow> {
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
