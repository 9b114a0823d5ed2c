/** The rows of a CSV file, at constant memory. */
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
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

/** Rows that are empty are left out, but counted. @throws TransferError where the text is not CSV or not UTF-8 */
export async function* csvRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  const parser = parse({
    raw: true,
    info: true,
    relax_column_count: true,
    max_record_size: longestLine,
    // Without quotes it is null.
    cast: (text, { quoting }) => (text === '' && !quoting ? null : text),
  });
  const rows: AsyncIterable<ParsedRow> = parser;
  // Errors reach the code that reads the rows.
  pipeline(decoded(chunks), parser, () => {});
  let before = 0;
  try {
    for await (const { raw, record, info } of rows) {
      if (record.some((cell) => cell !== null)) yield { line: before + 1, cells: record, text: `${withoutEnd(raw)}\n` };
      // The last line of this row.
      before = info.lines;
    }
  } catch (error) {
    if (error instanceof CsvError) throw new TransferError(`This is not CSV: ${reasonOf(error)}.`);
    if (isNotUtf8(error)) throw new TransferError('This is not UTF-8.');
    throw error;
  } finally {
    parser.destroy();
  }
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
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
