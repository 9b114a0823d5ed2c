import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import type Database from 'better-sqlite3';
import type { MaybePromise } from '../../common/maybe-promise.js';
import { WeighedCache } from '../../common/weighed-cache.js';
import type { Procedure, Statement } from '../../common/work.js';
import type { AnswerCount } from '../answer-limit.js';
import { collectRows, LoadBudget } from '../load-budget.js';
import { inSavepoint } from './savepoint.js';
import type { SqliteConnectionOptions } from './sqlite-connection-options.js';
import { addFunctions } from './sqlite-functions.js';
import { openSqliteFile } from './sqlite-library.js';
import { bindings, type Prepared, prepareStatement } from './sqlite-statement.js';
import { converted, inferredType, type SqliteValue, toSqliteValue } from './sqlite-values.js';
import { runInTurns } from './turns.js';

/**
 * The capacity for prepared statements, in characters. REST and GraphQL together use a few hundred statements of a few
 * thousand characters.
 */
const CHARACTERS_KEPT = 1_500_000;
/** Added to each statement's length, because a prepared statement needs memory besides that for its text. */
const FURTHER_CHARACTERS = 1_000;
/** Added for each placeholder, for which SQLite keeps some 140 bytes: an INSERT of many rows is little else. */
const PLACEHOLDER_CHARACTERS = 40;
/** Longer writes insert many rows, and rarely repeat. */
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
    const { statement, returnsRows } = this.#prepare(sql);
    return returnsRows && statement.readonly;
  }

  /** Runs `query` and returns its rows as Prisma expects them. */
  query(query: SqlQuery): SqlResultSet {
    const prepared = this.#prepare(query.sql);
    if (!prepared.returnsRows) {
      prepared.statement.run(valuesOf(query, prepared));
      return { columnNames: [], columnTypes: [], rows: [] };
    }
    const rows = collectRows(prepared.statement.iterate(valuesOf(query, prepared)), this.#load(), this.options.heavy);
    const columnTypes = prepared.columnTypes.map((type, column) => type ?? inferredType(rows, column));
    return { columnNames: prepared.columnNames, columnTypes, rows: converted(rows, columnTypes, prepared.bigints) };
  }

  /** Runs a statement that returns rows, and returns them unconverted; integers may be bigints. */
  rows(sql: string, values: readonly SqliteValue[]): SqliteValue[][] {
    this.#count.begin();
    const { statement, places } = this.#prepare(sql);
    return statement.all(bindings(values, places));
  }

  /**
   * Runs a unit of work inside the open transaction, all or nothing: synchronously if it is short. Nothing else may use
   * the connection until it is done.
   */
  perform<Result>(work: Procedure<Result>): MaybePromise<Result> {
    return inSavepoint(this, () => runInTurns(work, (statement) => this.run(statement)));
  }

  /** Runs a statement and returns its rows unconverted, none if it returns none. */
  run({ sql, values, isCounted }: Statement): SqliteValue[][] {
    const { statement, returnsRows, places } = this.#prepare(sql);
    if (returnsRows) return this.rows(sql, values);
    const { changes } = statement.run(bindings(values, places));
    return isCounted ? [[changes]] : [];
  }

  /** Runs `query` and returns the number of changed rows. */
  execute(query: SqlQuery): number {
    const prepared = this.#prepare(query.sql);
    const values = valuesOf(query, prepared);
    return prepared.returnsRows ? prepared.statement.all(values).length : prepared.statement.run(values).changes;
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

  /** Runs a script inside the open transaction, all or nothing. */
  atomically(sql: string): MaybePromise<void> {
    return inSavepoint(this, () => this.script(sql));
  }

  close(): void {
    this.#statements.clear();
    this.#controls.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const prepared = prepareStatement(this.#database, sql);
    if (sql.length <= LONGEST_WRITE || prepared.statement.readonly) this.#statements.set(sql, prepared);
    return prepared;
  }
}

const weightOf = (sql: string): number =>
  sql.length + FURTHER_CHARACTERS + PLACEHOLDER_CHARACTERS * (sql.split('?').length - 1);

function valuesOf({ args, argTypes }: SqlQuery, { places }: Prepared): readonly SqliteValue[] {
  const values = args.map((argument, index) => toSqliteValue(argument, argTypes[index]));
  return bindings(values, places);
}
