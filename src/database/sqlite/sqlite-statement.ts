import { type ColumnType, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type Database from 'better-sqlite3';
import { columnType, type SqliteValue } from './sqlite-values.js';

export interface Prepared {
  statement: Database.Statement<[readonly SqliteValue[]], SqliteValue[]>;
  returnsRows: boolean;
  /** Which value each placeholder is bound to, from 0; undefined if placeholders have no numbers. */
  places: readonly number[] | undefined;
  /** Whether integers are returned as bigint, because a column may hold more than a number can. */
  bigints: boolean;
  columnNames: string[];
  columnTypes: (ColumnType | undefined)[];
}

/** @throws for statements that control transactions */
export function prepareStatement(database: Database.Database, sql: string): Prepared {
  const { text, places } = positional(sql);
  const statement = database.prepare<[readonly SqliteValue[]], SqliteValue[]>(text);
  if (!statement.reader) {
    // SQLite counts BEGIN, COMMIT, SAVEPOINT and the like as read-only. Only the writer may run them: from a caller
    // they could end a transaction that it shares with others.
    if (statement.readonly && !/^\s*pragma\b/i.test(sql)) {
      throw new TypeError(`Statements must not begin or end transactions; use $transaction: ${sql}`);
    }
    return { statement, returnsRows: false, places, bigints: false, columnNames: [], columnTypes: [] };
  }
  const columns = statement.columns();
  const columnTypes = columns.map((column) => columnType(column.type));
  const bigints = columnTypes.some((type) => type === undefined || type === ColumnTypeEnum.Int64);
  statement.raw().safeIntegers(bigints);
  return {
    statement,
    returnsRows: true,
    places,
    bigints,
    columnNames: columns.map(({ name }) => name),
    columnTypes,
  };
}

/** One value for each placeholder, in the order of the text. @throws RangeError where a value is missing */
export function bindings(
  values: readonly SqliteValue[],
  places: readonly number[] | undefined,
): readonly SqliteValue[] {
  if (!places) return values;
  return places.map((place) => {
    const value = values[place];
    if (value === undefined) throw new RangeError(`There is no value for ?${place + 1}`);
    return value;
  });
}

/**
 * The statement with `?` for `?1`, `?2` …, because better-sqlite3 binds numbered placeholders by name, with a look-up
 * for each. It also has `LIMIT (? + 0)` for `LIMIT ?`: for a lone placeholder SQLite makes a plan that depends on its
 * value, so it parses and plans the statement again at each execution. That took a third of the time of a page.
 */
function positional(sql: string): { text: string; places: readonly number[] | undefined } {
  const places: number[] = [];
  const text = sql.replace(quotedOrPlaceholder, (found, limit: string | undefined, number: string | undefined) => {
    if (number === undefined) return found;
    if (number !== '') places.push(Number(number) - 1);
    return limit === undefined ? '?' : `${limit} (? + 0)`;
  });
  return { text, places: places.length > 0 ? places : undefined };
}

/** A quoted text or name, which stays as it is, or a placeholder with its number, maybe of a limit or offset. */
const quotedOrPlaceholder = /'[^']*'|"[^"]*"|`[^`]*`|(?:\b(LIMIT|OFFSET)\s+)?\?(\d*)/gi;
