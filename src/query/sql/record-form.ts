/**
 * How a database returns records and their columns, as SQL.
 *
 * SQLite writes 80 as 80.0, and every third double with more digits than necessary (0.3333333333333333 as
 * 0.33333333333333332). Correcting all numbers of an answer in its text (`withPlainNumbers`) takes half the time of a function
 * that SQLite calls for each. The statement marks the keys of numbers with a control character, which no alias contains.
 * `json_object` escapes it, and a value never ends with a colon, so what it writes occurs nowhere else in an answer.
 */
import type { ColumnType } from '../../model/selection.js';

/** The key of a number in SQL, marked. */
export const numberKey = (key: string): string => `${key}\u0001`;

/** The mark in an answer. */
export const numberMark = '\\u0001';

/** Bytes that SQLite writes for a whole number beyond those of the answer. */
export const numberSurplus = numberMark.length + '.0'.length;

/** A member of a JSON object. */
export type JsonMember = readonly [key: string, expression: Expression];

/** An SQL expression: JSON built by the dialect, or any value that can be put into JSON. */
export interface Expression {
  sql: string;
  isJson: boolean;
  /** Whether SQLite writes it as a number that `withPlainNumbers` corrects. */
  isMarked?: boolean;
}

/** Whether JSON writes values of the type without quotes. */
export const isUnquoted = (type: ColumnType): boolean => type === 'Int' || type === 'Float' || type === 'Boolean';

/** How a record is returned. */
export interface RecordForm {
  /** A record with these entries. */
  record(entries: readonly JsonMember[]): string;
  /**
   * The same for columns only. PostgreSQL looks up how to write a value for each value of json_build_array, but only
   * once for an array of texts. Numbers, true and false are in quotes then.
   */
  texts(entries: readonly JsonMember[]): string;
  /** A column as one of its values. */
  value(column: string, type: ColumnType): string;
  /** Whether numbers are marked for `withPlainNumbers`. */
  marksNumbers: boolean;
}

export const sqliteForm: RecordForm = {
  record: joinedObject,
  texts: joinedObject,
  marksNumbers: false,
  value: (column, type) => {
    // true and false in SQLite's JSONB format, which needs no parsing.
    if (type === 'Boolean') return `CASE ${column} WHEN 1 THEN x'01' WHEN 0 THEN x'02' END`;
    if (type === 'DateTime') return `substr(${column}, 1, 23) || 'Z'`;
    if (type === 'Float') return `CASE WHEN ${column} IS NOT NULL THEN json_number(${column}) END`;
    return column;
  },
};

/** The form whose numbers are corrected in the text of the answer; its size is therefore known only roughly. */
export const sqliteMarked: RecordForm = {
  ...sqliteForm,
  marksNumbers: true,
  value: (column, type) => (type === 'Float' ? column : sqliteForm.value(column, type)),
};

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
  // In groups, because each `||` in a row nests the expression one level deeper, and SQLite takes 1000 levels at most.
  const groups = divided(parts, 30).map((group) => `(${group.join(" || ',' || ")})`);
  return `'{' || ${groups.join(" || ',' || ")} || '}'`;
}

const divided = (parts: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(parts.length / size) }, (_, index) => parts.slice(index * size, (index + 1) * size));

/** The most arguments of a function in PostgreSQL. */
export const mostArguments = 100;

export const postgresqlComplete: RecordForm = {
  record: rowInPostgresql,
  texts: rowInPostgresql,
  value: (column, type) => {
    if (type === 'DateTime') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    if (type === 'Float') return numberInPostgresql(column);
    return column;
  },
  marksNumbers: false,
};

/**
 * Without the keys. A comment in the statement names them, so that statements with other keys have another text:
 * statements with equal text share their answers.
 */
export const postgresqlCompact: RecordForm = {
  record: (entries) => `${arrayInPostgresql(entries)} ${keysIn(entries)}`,
  texts: (entries) => `array_to_json(ARRAY[${entries.map(textIn).join(', ')}]) ${keysIn(entries)}`,
  value: (column) => column,
  marksNumbers: false,
};

const textIn = ([, { sql }]: JsonMember): string => `(${sql})::text`;

/** row_to_json writes no spaces, unlike json_build_object, and knows the type of each column. */
function rowInPostgresql(entries: readonly JsonMember[]): string {
  const columns = entries.map(([key, { sql }]) => `${sql} AS "${key}"`).join(', ');
  return `(SELECT row_to_json(o) FROM (SELECT ${columns}) AS o)`;
}

const keysIn = (entries: readonly JsonMember[]): string => `/* ${entries.map(([key]) => key).join()} */`;

/** The values of the entries, in arrays of a hundred if there are more. */
function arrayInPostgresql(entries: readonly JsonMember[]): string {
  const values = entries.map(([, { sql }]) => sql);
  if (values.length <= mostArguments) return `json_build_array(${values.join(', ')})`;
  const arrays = divided(values, mostArguments).map((part) => `json_build_array(${part.join(', ')})`);
  return `json_build_array(${arrays.join(', ')})`;
}

/**
 * PostgreSQL writes numbers as JavaScript does, except very large and very small ones and -0. The constants have
 * explicit types, which saves a conversion whenever a statement is planned.
 */
const numberInPostgresql = (column: string): string =>
  `CASE WHEN abs(${column}) BETWEEN float8 '1e-4' AND float8 '999999999999999' THEN to_json(${column})
    WHEN ${column} = float8 '0' THEN json '0' ELSE gateway_number(${column})::json END`;
