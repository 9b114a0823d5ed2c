import { ColumnTypeEnum, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import type Database from 'better-sqlite3';
import { WeighedCache } from '../../common/kept.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { drive, isOfAttempt, type Procedure, type Statement } from '../../common/work.js';
import { type AnswerCount, collectRows, LoadBudget } from '../answer-limit.js';
import { Turns } from '../turns.js';
import { addFunctions } from './sqlite-functions.js';
import { openSqliteFile } from './sqlite-library.js';
import { columnType, converted, inferredType, type SqliteValue, toSqliteValue } from './sqlite-values.js';

/**
 * The capacity for prepared statements, in characters. REST and GraphQL together use a few hundred statements of a few
 * thousand characters.
 */
const CHARACTERS_KEPT = 1_500_000;
/** Added to each statement's length, because a prepared statement needs memory besides that for its text. */
const FURTHER_CHARACTERS = 1_000;
/** Added for each placeholder, for which SQLite keeps some 140 bytes: an INSERT of many rows is little else. */
const PLACEHOLDER_CHARACTERS = 40;
/** Longer writes insert many rows, and rarely repeat. Numbers of placeholders do not count. */
const LONGEST_WRITE = 8_000;

/**
 * A connection to an SQLite file. All calls are synchronous and never wait: if another connection holds the lock, they
 * throw SQLITE_BUSY at once, so that the caller can retry without blocking the event loop. Throws errors of
 * better-sqlite3; see `toAdapterError`.
 */
export class SqliteConnection {
  readonly #database: Database.Database;
  readonly #statements: WeighedCache<Prepared>;
  readonly #controls = new Map<string, Database.Statement>();
  readonly #count: AnswerCount;
  readonly #load: () => LoadBudget;

  constructor(
    path: string,
    private readonly options: SqliteConnectionOptions = {},
  ) {
    this.#database = openSqliteFile(path, { readonly: options.readonly ?? false, timeout: 0 });
    this.#count = addFunctions(this.#database, options.heavy);
    this.#load = () => new LoadBudget(options.answerLimit);
    const capacity = options.charactersKept ?? CHARACTERS_KEPT;
    this.#statements = new WeighedCache(capacity, weightOf);
  }

  /** Whether a transaction is open. SQLite may roll one back on its own, for example when the disk is full. */
  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  get preparedStatements(): number {
    return this.#statements.size;
  }

  /** Whether `sql` returns rows and changes nothing. */
  isRead(sql: string): boolean {
    const { statement } = this.#prepare(sql);
    return statement.reader && statement.readonly;
  }

  /** Runs `query` and returns its rows as Prisma expects them. */
  query(query: SqlQuery): SqlResultSet {
    const prepared = this.#prepare(query.sql);
    if (!prepared.statement.reader) {
      prepared.statement.run(valuesOf(query, prepared));
      return { columnNames: [], columnTypes: [], rows: [] };
    }
    const rows = collectRows(prepared.statement.iterate(valuesOf(query, prepared)), this.#load(), this.options.heavy);
    const columnTypes = prepared.columnTypes.map((type, column) => type ?? inferredType(rows, column));
    return { columnNames: prepared.columnNames, columnTypes, rows: converted(rows, columnTypes, prepared.bigints) };
  }

  /** Runs a statement that returns rows, and returns them unconverted; integers may be bigints. */
  rows(sql: string, values: readonly SqliteValue[]): SqliteValue[][] {
    const { statement, places, isCounted } = this.#prepare(sql);
    if (isCounted) this.#count.begin();
    return statement.all(bindings(values, places));
  }

  /**
   * Runs a unit of work inside the open transaction, all or nothing: synchronously if it is short. Long work gives others a
   * turn now and then, in which a deadline can pass, too. Nothing else may use the connection until it is done.
   */
  perform<Result>(work: Procedure<Result>): MaybePromise<Result> {
    const turns = new Turns();
    return this.#inSavepoint(() =>
      drive(work, (statement) => {
        const rows = this.run(statement);
        return turns.due()?.then(() => rows) ?? rows;
      }),
    );
  }

  /** Runs a statement and returns its rows unconverted, none if it returns none. */
  run({ sql, values, isCounted }: Statement): SqliteValue[][] {
    const { statement, places } = this.#prepare(sql);
    if (statement.reader) return this.rows(sql, values);
    const { changes } = statement.run(bindings(values, places));
    return isCounted ? [[changes]] : [];
  }

  /** Runs `query` and returns the number of changed rows. */
  execute(query: SqlQuery): number {
    const prepared = this.#prepare(query.sql);
    const { statement } = prepared;
    const values = valuesOf(query, prepared);
    return statement.reader ? statement.all(values).length : statement.run(values).changes;
  }

  /** Runs statements separated by semicolons; they may begin and end transactions. */
  script(sql: string): void {
    this.#database.exec(sql);
  }

  /** Begins or ends a transaction or savepoint. Prepared once, because `exec` parses its text each time. */
  control(command: string): void {
    const statement = this.#controls.get(command) ?? this.#database.prepare(command);
    this.#controls.set(command, statement);
    statement.run();
  }

  close(): void {
    this.#statements.clear();
    this.#controls.clear();
    this.#database.close();
  }

  /** Runs `work` inside the open transaction; if it fails, what it has done is undone. */
  #inSavepoint<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    const release = () => {
      if (this.inTransaction) this.control('RELEASE part');
    };
    this.control('SAVEPOINT part');
    const done = recoverWith(work, (error) => {
      if (this.inTransaction) this.control('ROLLBACK TO part');
      release();
      throw error;
    });
    return whenResolved(done, (result) => {
      release();
      return result;
    });
  }

  #prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const prepared = prepareStatement(this.#database, sql);
    if (prepared.statement.source.length <= LONGEST_WRITE || prepared.statement.readonly)
      this.#statements.set(sql, prepared);
    return prepared;
  }
}

const weightOf = (sql: string): number =>
  sql.length + FURTHER_CHARACTERS + PLACEHOLDER_CHARACTERS * (sql.split('?').length - 1);

function valuesOf({ args, argTypes }: SqlQuery, { places }: Prepared): readonly SqliteValue[] {
  const values = args.map((argument, index) => toSqliteValue(argument, argTypes[index]));
  return bindings(values, places);
}

interface SqliteConnectionOptions {
  readonly?: boolean;
  /** The capacity for prepared statements, in characters. */
  charactersKept?: number;
  /** The largest answer in bytes. */
  answerLimit?: number | undefined;
  /** Bytes from which a read is broken off with `HeavyRead`; none is where it is left out. */
  heavy?: number | undefined;
}

type Prepared = ReturnType<typeof prepareStatement>;

/** @throws for statements that control transactions */
function prepareStatement(database: Database.Database, sql: string) {
  const { text, places } = positional(sql);
  const statement = database.prepare<[readonly SqliteValue[]], SqliteValue[]>(text);
  // SQLite counts BEGIN, COMMIT, SAVEPOINT and the like as read-only. Only the writer may run them: from a caller
  // they could end a transaction that it shares with others. A part of a unit of work ends within it.
  if (!statement.reader && statement.readonly && !isOfAttempt(sql) && !/^\s*pragma\b/i.test(sql)) {
    throw new TypeError(`Statements must not begin or end transactions; use $transaction: ${sql}`);
  }
  const columns = statement.reader ? statement.columns() : [];
  const columnTypes = columns.map((column) => columnType(column.type));
  /** Whether integers are returned as bigint, because a column may hold more than a number can. */
  const bigints = columnTypes.some((type) => type === undefined || type === ColumnTypeEnum.Int64);
  if (statement.reader) statement.raw().safeIntegers(bigints);
  return {
    statement,
    /** Whether it calls `counted_line` or `counted_row`. */
    isCounted: text.includes('counted_'),
    places,
    bigints,
    columnNames: columns.map(({ name }) => name),
    columnTypes,
  };
}

/** One value for each placeholder, in the order of the text. @throws RangeError where a value is missing */
function bindings(values: readonly SqliteValue[], places: readonly number[] | undefined): readonly SqliteValue[] {
  if (!places) return values;
  return places.map((place) => {
    const value = values[place];
    if (value === undefined) throw new RangeError(`There is no value for ?${place + 1}`);
    return value;
  });
}

/**
 * The statement with `?` for `?1`, `?2` …, because better-sqlite3 binds numbered placeholders by name, with a look-up
 * for each; `places` says which value each is bound to, from 0, where they have numbers. It also has `LIMIT (? + 0)`
 * for `LIMIT ?`: for a lone placeholder SQLite makes a plan that depends on its value, so it parses and plans the
 * statement again at each execution. That took a third of the time of a page.
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
