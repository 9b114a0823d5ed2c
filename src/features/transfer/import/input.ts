import { isUtf8 } from 'node:buffer';
import { createReadStream, fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { digestOf, withOpen } from '../../../common/open-file.js';
import { systemCode } from '../../../common/write-problem.js';
import { TransferError } from '../reports.js';

export interface Input {
  stream(): Readable;
  /** In bytes, if it is known. */
  size: number | undefined;
  /** Undefined for lines of JSON. */
  csv: CsvInput | undefined;
  /** Identifies the input, so that an import of it can be resumed; undefined if it cannot. */
  key: string | undefined;
}

export interface CsvInput {
  type: string;
  /** What separates values, unless a first line `sep=;` names it. */
  delimiter: string;
  /** Whether one and a half is written 1,5. */
  decimalComma: boolean;
}

/** Without a key it is known by all that is in it: one that was corrected is another. @throws TransferError */
export function fileInput(path: string, given: string | undefined, csv: CsvInput | undefined): Input {
  try {
    return withOpen(path, (file) => {
      const stats = fstatSync(file);
      if (stats.isDirectory()) throw new TransferError(`${path} is a folder. Give a file.`);
      const key = given ?? `file:${digestOf(file)}${readAs(csv)}`;
      return { size: stats.size, key, csv, stream: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
    });
  } catch (error) {
    if (error instanceof TransferError) throw error;
    const code = systemCode(error);
    throw new TransferError(`${path} cannot be read (${code}).`);
  }
}

/** Read otherwise, a file of CSV holds other documents. */
const readAs = (csv: CsvInput | undefined): string =>
  csv && (csv.delimiter !== ',' || csv.decimalComma)
    ? `${csv.delimiter}${csv.decimalComma ? ' decimal comma' : ''}`
    : '';

export interface Reading {
  /** Lines that an earlier run has done; what begins in them is left out. */
  readonly skipped: number;
  /** The bytes or characters that are read. */
  size: number;
  /** The line of the names of a CSV file. */
  headerLine?: number;
}

export interface InputLine {
  /** Its number, from 1. */
  line: number;
  /** Empty if it cannot be read, as `problem` says. */
  text: string;
  problem?: string;
}

/** The longest line, in bytes: a document with its lines is held in memory as a whole. */
export const longestLine = 64 * 1024 * 1024;

const lineEnd = 10;

/**
 * The lines of a stream, at constant memory. Those that are empty but for white space are left out, but counted; those that are
 * skipped are not even decoded.
 */
export async function* inputLines(chunks: AsyncIterable<Buffer>, reading: Reading): AsyncGenerator<InputLine> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const lineOf = (part: Buffer, end: number): InputLine | undefined => {
    number++;
    reading.size += length + end;
    const isLong = length + part.length > longestLine;
    const isWanted = number > reading.skipped;
    const whole = isWanted && !isLong && parts.length > 0 ? Buffer.concat([...parts, part]) : part;
    [parts, length] = [[], 0];
    if (!isWanted) return undefined;
    return isLong ? { line: number, text: '', problem: `is longer than ${longestLine} bytes` } : decoded(whole, number);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, start)) {
      const line = lineOf(chunk.subarray(start, end), end + 1 - start);
      start = end + 1;
      if (line) yield line;
    }
    const rest = chunk.subarray(start);
    // Of a line that is too long, only as much is kept as shows that.
    if (length <= longestLine) parts.push(rest);
    length += rest.length;
  }
  if (length === 0) return;
  const line = lineOf(Buffer.alloc(0), 0);
  if (line) yield line;
}

/** By its byte order mark. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  first === 0xff ? second === 0xfe : first === 0xfe && second === 0xff;

function decoded(buffer: Buffer, line: number): InputLine | undefined {
  if (line === 1 && isUtf16(buffer)) return { line, text: '', problem: 'is UTF-16; save the file as UTF-8' };
  if (!isUtf8(buffer)) return { line, text: '', problem: 'is not UTF-8' };
  const text = buffer.toString('utf8');
  const content = line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  return /\S/.test(content) ? { line, text: content } : undefined;
}
