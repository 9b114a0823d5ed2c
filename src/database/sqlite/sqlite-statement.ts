import { type ColumnType, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type Database from 'better-sqlite3';
import { columnType, type SqliteValue } from './sqlite-values.js';

// By position, or by the names in the statement.
type BoundValues = readonly SqliteValue[] | Record<string, SqliteValue>;

export interface Prepared {
  statement: Database.Statement<[BoundValues], SqliteValue[]>;
  returnsRows: boolean;
  /** Whether its placeholders are `?1`, `?2` …, which better-sqlite3 binds by name. */
  isNumbered: boolean;
  /** Whether integers are returned as bigint, because a column may hold more than a number can. */
  bigints: boolean;
  columnNames: string[];
  columnTypes: (ColumnType | undefined)[];
}

/** @throws for statements that control transactions */
export function prepare(database: Database.Database, sql: string): Prepared {
  const statement = database.prepare<[BoundValues], SqliteValue[]>(withoutLimitPlaceholders(sql));
  const isNumbered = /\?\d/.test(sql);
  if (!statement.reader) {
    // SQLite counts BEGIN, COMMIT, SAVEPOINT and the like as read-only. Only the writer may run them: from a caller
    // they could end a transaction that it shares with others.
    if (statement.readonly && !/^\s*pragma\b/i.test(sql)) {
      throw new TypeError(`Not to be run as a statement of its own; use $transaction: ${sql}`);
    }
    return { statement, returnsRows: false, isNumbered, bigints: false, columnNames: [], columnTypes: [] };
  }
  const columns = statement.columns();
  const columnTypes = columns.map((column) => columnType(column.type));
  const bigints = columnTypes.some((type) => type === undefined || type === ColumnTypeEnum.Int64);
  statement.raw().safeIntegers(bigints);
  return {
    statement,
    returnsRows: true,
    isNumbered,
    bigints,
    columnNames: columns.map(({ name }) => name),
    columnTypes,
  };
}

/**
 * The statement with `LIMIT (? + 0)` for `LIMIT ?`. SQLite plans for the value of a lone placeholder, and therefore
 * parses and plans the statement again at each execution; that took a third of the time of a page.
 */
const withoutLimitPlaceholders = (sql: string): string =>
  sql.replace(quotedOrLimit, (found, limit?: string, placeholder?: string) =>
    limit === undefined ? found : `${limit} (${placeholder} + 0)`,
  );

/** A quoted text or name, which stays as it is, or a limit or offset that is a placeholder. */
const quotedOrLimit = /'[^']*'|"[^"]*"|`[^`]*`|\b(LIMIT|OFFSET)\s+(\?\d*)/gi;
