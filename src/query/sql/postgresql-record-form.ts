/** How PostgreSQL returns records and their columns. */
import type { JsonMember } from './joined-object.js';
import type { RecordForm } from './record-form.js';

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
  const parts = Array.from({ length: Math.ceil(values.length / mostArguments) }, (_, index) =>
    values.slice(index * mostArguments, (index + 1) * mostArguments),
  );
  return `json_build_array(${parts.map((part) => `json_build_array(${part.join(', ')})`).join(', ')})`;
}

/**
 * PostgreSQL writes numbers as JavaScript does, except very large and very small ones and -0. The constants have
 * explicit types, which saves a conversion whenever a statement is planned.
 */
const numberInPostgresql = (column: string): string =>
  `CASE WHEN abs(${column}) BETWEEN float8 '1e-4' AND float8 '999999999999999' THEN to_json(${column})
    WHEN ${column} = float8 '0' THEN json '0' ELSE gateway_number(${column})::json END`;
