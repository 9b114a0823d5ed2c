import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { AnswerCount } from '../answer-limit.js';
import { translate } from '../ignored-case.js';
import { unknownStatus } from '../unknown-status.js';
import { add, emptySum, total } from './decimal-sum.js';
import { jsonNumber } from './sqlite-json-number.js';
import { like } from './sqlite-like.js';

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
  database.function('counted_line', (bytes: number, frame: number, limit: number) => count.line(bytes, frame, limit));
  database.function('counted_row', (bytes: number, frame: number, limit: number) => count.row(bytes, frame, limit));
  return count;
}

const translated = (text: unknown, from: unknown, to: unknown): string | null =>
  text === null ? null : translate(String(text), String(from), String(to));

/** The hash of a blob in hexadecimal; null for null. */
const sha256 = (bytes: unknown): string | null =>
  bytes instanceof Uint8Array ? createHash('sha256').update(bytes).digest('hex') : null;

/** A cursor as the resolvers write it: the order it belongs to, and the values of the row. */
const cursorOf = (...parts: unknown[]): string =>
  Buffer.from(JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? Number(part) : part)))).toString(
    'base64url',
  );
