import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { AnswerCount } from '../answer-limit.js';
import { unknownStatus } from '../database-problem.js';
import { type IgnoredCase, readMarked, translate } from '../ignored-case.js';

/**
 * Registers SQL functions that the gateway's statements call and that SQLite lacks or defines differently. Two of them
 * count the bytes of an answer in the returned count, which is reset for each statement; a read of more than `heavy`
 * bytes is broken off.
 */
export function addFunctions(database: Database.Database, heavy?: number): AnswerCount {
  database.function('like', { deterministic: true }, like);
  database.function('translate', { deterministic: true }, translated);
  database.function('json_number', { deterministic: true }, jsonNumber);
  database.aggregate('decimal_sum', { deterministic: true, start: emptySum, step: add, result: total });
  database.function('sha256_hex', { deterministic: true }, sha256);
  database.function('cursor_of', { deterministic: true, varargs: true }, cursorOf);
  database.function('unknown_status', unknownStatus);
  const count = new AnswerCount(heavy);
  database.function('counted_line', count.line);
  database.function('counted_row', count.row);
  return count;
}

const translated = (text: unknown, from: unknown, to: unknown): string | null =>
  text === null ? null : translate(String(text), String(from), String(to));

const sha256 = (bytes: unknown): string | null =>
  bytes instanceof Uint8Array ? createHash('sha256').update(bytes).digest('hex') : null;

/** A cursor as the resolvers write it: the order it belongs to, and the values of the row. */
const cursorOf = (...parts: unknown[]): string =>
  Buffer.from(JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? Number(part) : part)))).toString(
    'base64url',
  );

/**
 * A number as JSON.stringify writes it, in SQLite's JSONB format. SQLite itself writes 80 as 80.0, and every third
 * double with more digits than necessary (0.3333333333333333 as 0.33333333333333332).
 *
 * Called for numbers of the journal and of answers that are counted before they are built; other answers are corrected in
 * their text, which is faster. All calls share one buffer: SQLite copies the bytes before the next call, and a new buffer
 * for each would take four times as long.
 */
function jsonNumber(number: unknown): Uint8Array {
  const text = `${number}`;
  let kind = integer;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === point || code === e) kind = float;
    bytes[index + 2] = code;
  }
  bytes[0] = kind;
  bytes[1] = text.length;
  return parts[text.length] ?? bytes;
}

/** The first byte of a JSONB number: its type, and that the next byte holds the length. */
const [integer, float] = [0xc3, 0xc5];
const [point, e] = ['.', 'e'].map((character) => character.charCodeAt(0));

/**
 * The length of `-0.0000013505067579109074`, the longest form: up to five zeros after the point and 17 digits, with
 * room to spare.
 */
const longest = 25;
const bytes = Buffer.alloc(2 + longest);
const parts = Array.from({ length: longest + 1 }, (_, length) => bytes.subarray(0, 2 + length));

/**
 * Adds numbers as decimals: 0.1 + 0.2 is 0.3. The sum is exact and is rounded to a double only at the end, so it does
 * not depend on the order, and equals the sum of PostgreSQL, which adds the same decimals as `numeric`.
 */
interface DecimalSum {
  /** The part of the sum in units of 10⁻⁴ that a double holds exactly; undefined until a number was added. */
  fast: number | undefined;
  /** The rest of the sum: integers by the power of ten that scales them. */
  exact: Map<number, bigint>;
}

const emptySum = (): DecimalSum => ({ fast: undefined, exact: new Map() });

/** Adds a number; null adds nothing. */
function add(sum: DecimalSum, number: unknown): DecimalSum {
  if (typeof number !== 'number') return sum;
  sum.fast ??= 0;
  const scaled = Math.round(number * scale);
  // Up to 15 significant digits, a double and its shortest decimal text convert into each other without loss.
  if (scaled / scale === number && Math.abs(scaled) < 1e15) {
    sum.fast += scaled;
    if (Math.abs(sum.fast) < mostFast) return sum;
    addExact(sum, BigInt(sum.fast), -places);
    sum.fast = 0;
    return sum;
  }
  const [digits = '', exponent = '0'] = `${number}`.split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  addExact(sum, BigInt(whole + fraction), Number(exponent) - fraction.length);
  return sum;
}

/** The sum as a double; null if no number was added, infinite if it exceeds the range of doubles. */
function total({ fast, exact }: DecimalSum): number | null {
  if (fast === undefined) return null;
  if (exact.size === 0) return fast / scale;
  const parts: [number, bigint][] = [...exact, [-places, BigInt(fast)]];
  const least = Math.min(...parts.map(([power]) => power));
  const digits = parts.reduce((sum, [power, part]) => sum + part * 10n ** BigInt(power - least), 0n);
  return Number(`${digits}e${least}`);
}

function addExact({ exact }: DecimalSum, part: bigint, power: number): void {
  exact.set(power, (exact.get(power) ?? 0n) + part);
}

const places = 4;
const scale = 10 ** places;

/** Below this, adding another number of 15 digits is still exact. */
const mostFast = 2 ** 53 - 1e15;

/**
 * LIKE with PostgreSQL's rules, for SQLite: case-sensitive, with backslash as the escape character. SQLite's own LIKE
 * ignores the case of ASCII letters and has no escape character unless the statement names one, which Prisma does not
 * do. @throws for a wildcard within the text, which no filter has
 */
export function like(pattern: unknown, text: unknown): 0 | 1 | null {
  if (pattern === null || text === null) return null;
  return matcherOf(String(pattern))(String(text)) ? 1 : 0;
}

type Matcher = (text: string) => boolean;

/** The last pattern, because a statement compares all rows with the same one. */
let last: { pattern: string; matches: Matcher } | undefined;

function matcherOf(pattern: string): Matcher {
  if (last?.pattern !== pattern) {
    const marked = readMarked(pattern);
    last = { pattern, matches: marked ? ignoringCase(marked) : compile(pattern) };
  }
  return last.matches;
}

function ignoringCase({ from, to, text }: IgnoredCase): Matcher {
  const matches = compile(text);
  return (value) => matches(translate(value, from, to));
}

/**
 * The patterns of the API's filters, `%text%`, `text%`, `%text` and `text`, become plain comparisons, which take linear
 * time for texts of any length.
 */
function compile(pattern: string): Matcher {
  const start = pattern.startsWith('%') ? 1 : 0;
  const end = endsOpen(pattern, start) ? pattern.length - 1 : pattern.length;
  const inner = pattern.slice(start, end);
  // Wildcards are sought without the escaped characters. Checking each character of a long text would take far longer.
  if (/[%_]/.test(inner.replace(/\\[\s\S]/g, ''))) throw new Error('LIKE takes wildcards at the ends of a text only');

  const literal = inner.replace(/\\([\s\S])/g, '$1');
  if (start === 0) return end < pattern.length ? (text) => text.startsWith(literal) : (text) => text === literal;
  return end < pattern.length ? finderOf(literal) : (text) => text.endsWith(literal);
}

/** Whether the last character, behind `start`, is a wildcard: an even number of escape characters precedes it. */
function endsOpen(pattern: string, start: number): boolean {
  const last = pattern.length - 1;
  if (last < start || pattern[last] !== '%') return false;
  let escapes = 0;
  while (pattern[last - 1 - escapes] === '\\') escapes++;
  return escapes % 2 === 0;
}

/** Up to this length, `includes` takes linear time. */
const longestForIncludes = 200;

/**
 * Returns a test for whether a text contains `needle`, in linear time. For needles above about 250 characters V8's
 * `includes` can take the product of both lengths: minutes, where both are long and repetitive.
 */
export function finderOf(needle: string): (text: string) => boolean {
  if (needle.length <= longestForIncludes) return (text) => text.includes(needle);
  const fallback = fallbackOf(needle);
  return (text) => {
    let matched = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at);
      while (matched > 0 && needle.charCodeAt(matched) !== character) matched = fallback[matched - 1] ?? 0;
      if (needle.charCodeAt(matched) === character) matched++;
      if (matched === needle.length) return true;
    }
    return false;
  };
}

/**
 * For each prefix of the needle, the length of its longest proper prefix that is also its suffix (Knuth, Morris,
 * Pratt).
 */
function fallbackOf(needle: string): Int32Array {
  const fallback = new Int32Array(needle.length);
  for (let at = 1, matched = 0; at < needle.length; at++) {
    while (matched > 0 && needle.charCodeAt(matched) !== needle.charCodeAt(at)) matched = fallback[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === needle.charCodeAt(at)) matched++;
    fallback[at] = matched;
  }
  return fallback;
}
