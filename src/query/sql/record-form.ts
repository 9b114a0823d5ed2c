/** How a database returns records and their columns; the forms of SQLite. */
import type { ColumnType } from '../../graphql/answered-by-sql.js';
import { type JsonMember, joinedObject } from './joined-object.js';

export type { ColumnType };

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
