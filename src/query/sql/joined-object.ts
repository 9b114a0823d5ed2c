/** The members of JSON objects, and how SQLite joins them to an object. */
import { numberKey } from './plain-numbers.js';

/** A member of a JSON object. */
export type JsonMember = readonly [key: string, expression: Expression];

/** An SQL expression: JSON built by the dialect, or any value that can be put into JSON. */
export interface Expression {
  sql: string;
  isJson: boolean;
  /** Whether SQLite writes it as a number that `withPlainNumbers` corrects. */
  isMarked?: boolean;
}

/** Entries of one call of json_object: SQLite's functions take at most 1000 arguments, and each entry is two. */
const mostInCall = 400;

/**
 * Builds an object by concatenating its JSON parts as text, because SQLite would parse them and write them again. Runs
 * of plain values are written by json_object; trim removes only its outer braces, because plain values contain none at
 * the ends.
 */
export function joinedObject(entries: readonly JsonMember[]): string {
  const parts: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    if (run.length > 0) parts.push(`trim(json_object(${run.join(', ')}), '{}')`);
    run = [];
  };
  for (const [key, { sql, isJson, isMarked }] of entries) {
    if (!isJson) {
      if (run.length === mostInCall) endRun();
      run.push(`'${isMarked ? numberKey(key) : key}', ${sql}`);
    } else {
      endRun();
      parts.push(`'"${key}":' || ${sql}`);
    }
  }
  if (parts.length === 0) return `json_object(${run.join(', ')})`;
  endRun();
  const groups = grouped(parts).map((group) => `(${group.join(" || ',' || ")})`);
  return `'{' || ${groups.join(" || ',' || ")} || '}'`;
}

/**
 * In groups, because each `||` in a row nests the expression one level deeper, and SQLite takes 1000 levels at most.
 */
const grouped = (parts: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(parts.length / 30) }, (_, index) => parts.slice(index * 30, (index + 1) * 30));
