import type Database from 'better-sqlite3';
import { add, emptySum, total } from './decimal-sum.js';
import { jsonNumber } from './sqlite-json-number.js';
import { like } from './sqlite-like.js';

/** Gives a connection the functions that statements of the gateway call and SQLite lacks, or has otherwise. */
export function addFunctions(database: Database.Database): void {
  database.function('like', { deterministic: true }, like);
  database.function('json_number', { deterministic: true }, jsonNumber);
  database.aggregate('decimal_sum', { deterministic: true, start: emptySum, step: add, result: total });
}
