/** The lines of a stream, at constant memory. */
import { isUtf8 } from 'node:buffer';

export interface InputLine {
  /** From 1. */
  number: number;
  /** Undefined if it cannot be read, as `problem` says. */
  text: string | undefined;
  problem?: string;
  /** The bytes up to its end. */
  bytes: number;
}

/** The longest line, in bytes: a document with its lines is held in memory as a whole. */
export const longestLine = 64 * 1024 * 1024;

const lineEnd = 10;

/** Lines that are empty but for white space are left out, but counted. The first `skipped` are not even decoded. */
export async function* inputLines(chunks: AsyncIterable<Buffer>, skipped: number): AsyncGenerator<InputLine> {
  let number = 0;
  let bytes = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const lineOf = (part: Buffer, end: number): InputLine | undefined => {
    number++;
    bytes += length + end;
    const isLong = length + part.length > longestLine;
    const isWanted = number > skipped && !isLong;
    const whole = isWanted && parts.length > 0 ? Buffer.concat([...parts, part]) : part;
    [parts, length] = [[], 0];
    if (number <= skipped) return undefined;
    if (isLong) return { number, text: undefined, problem: `is longer than ${longestLine} bytes`, bytes };
    return decoded(whole, number, bytes);
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

function decoded(buffer: Buffer, number: number, bytes: number): InputLine | undefined {
  if (number === 1 && isUtf16(buffer)) {
    return { number, text: undefined, problem: 'is UTF-16; save the file as UTF-8', bytes };
  }
  if (!isUtf8(buffer)) return { number, text: undefined, problem: 'is not UTF-8', bytes };
  const text = buffer.toString('utf8');
  const isMarked = number === 1 && text.startsWith('\uFEFF');
  const content = isMarked ? text.slice(1) : text;
  return /\S/.test(content) ? { number, text: content, bytes } : undefined;
}
