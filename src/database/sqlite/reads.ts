import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import { WeighedCache } from '../../common/kept.js';
import { type MaybePromise, recoverWith } from '../../common/maybe-promise.js';
import { HeavyRead } from '../answer-limit.js';
import type { ReadBound, Rows } from '../direct-access.js';
import type { ReaderOptions } from './reader-pool.js';
import type { SqliteConnection } from './sqlite-connection.js';

export interface SqliteReadOptions extends ReaderOptions {
  /** Whether nothing is written at all, so that the file need not be writable. */
  onlyReads?: boolean;
  /** Forces every read into this process (`here`) or into reader processes (`elsewhere`). For tests. */
  readsAt?: 'here' | 'elsewhere' | undefined;
}

/** Bytes from which a read in this process is heavy. It has then held the event loop for some 20 ms. */
const heavy = 2 * 1024 * 1024;

/** Bytes from which connections of this process break a read off; undefined where all reads run in this process. */
export const heavyHere = ({ readsAt }: SqliteReadOptions): number | undefined =>
  readsAt === 'here' ? undefined : heavy;

/**
 * Decides where a read runs: bounded and small reads in this process, all others in reader processes. A bounded read
 * that turns out to be heavy is broken off and runs in a reader process, too. `connection` is used to estimate which reads are small.
 */
export function createReadRouter(connection: SqliteConnection, { readsAt }: SqliteReadOptions) {
  const small = new SmallReads(connection);
  return <Result>(
    sql: string,
    isBounded: boolean,
    here: () => MaybePromise<Result>,
    elsewhere: () => Promise<Result>,
  ): MaybePromise<Result> => {
    if (readsAt === 'here') return here();
    const isHere = readsAt === undefined && (isBounded || small.isSmall(sql));
    if (!isHere) return elsewhere();
    return recoverWith(isBounded ? here : () => small.timed(here), (error) => {
      if (error instanceof HeavyRead) return elsewhere();
      throw error;
    });
  };
}

/**
 * The most rows that a small read may visit, counted once for each value they are compared with; about a millisecond.
 */
const mostVisits = 10_000;
/** The most pages of a small file, 4 MB: a few rows may hold long texts. */
const mostPages = 1000;
/** The most characters of a small statement: analysing a longer one takes time too. */
const longest = 4000;
/** Milliseconds: if a small read takes longer than `longest`, no read counts as small for `pause`. */
const patience = { longest: 20, pause: 10_000 };
/** Milliseconds for which an answer is remembered: tables grow meanwhile, by no more than is written in that time. */
const remembered = 1_000;

/**
 * Recognises reads that are fast only because their tables are small. They run in this process, because asking another
 * process would take longer. A read is small if the file is small and the read would be fast even without any index.
 */
class SmallReads {
  readonly #known = new WeighedCache<{ isSmall: boolean; until: number }>(500, () => 1);
  #notBefore = 0;

  constructor(private readonly connection: SqliteConnection) {}

  /** Runs a small read and measures its time. */
  timed<Result>(read: () => Result): Result {
    const startedAt = performance.now();
    const result = read();
    const now = performance.now();
    if (now - startedAt > patience.longest) this.#notBefore = now + patience.pause;
    return result;
  }

  isSmall(sql: string): boolean {
    const now = performance.now();
    if (sql.length > longest || now < this.#notBefore) return false;
    const known = this.#known.get(sql);
    if (known && now < known.until) return known.isSmall;
    const rowsOf = (table: string) => this.#rowsOf(table);
    const isSmall = this.#number('PRAGMA page_count') <= mostPages && visitsOf(blockOf(sql), rowsOf) <= mostVisits;
    this.#known.set(sql, { isSmall, until: now + remembered });
    return isSmall;
  }

  /** The most rows the table can have; infinite if it is not a table. */
  #rowsOf(table: string): number {
    try {
      return this.#number(`SELECT max(rowid) FROM "${table}"`);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  #number(sql: string): number {
    return Number(this.connection.rows(sql, [])[0]?.[0] ?? 0);
  }
}

/** A statement, or the part of one inside a pair of brackets. */
interface Block {
  /** The tables it reads. */
  tables: string[];
  /** Subqueries in FROM and JOIN. */
  sources: Block[];
  /** All other parts in brackets, which may be evaluated for each of its rows. */
  inner: Block[];
  /** Placeholders. */
  values: number;
}

/** The most rows that a statement visits, given the most rows of each table. */
function visitsOf(block: Block, rowsOf: (table: string) => number): number {
  const sum = (blocks: Block[]) => blocks.reduce((total, each) => total + visitsOf(each, rowsOf), 0);
  return sum(block.sources) + rowsIn(block, rowsOf) * (1 + block.values + sum(block.inner));
}

/** The worst case: the cross product of all tables. */
function rowsIn({ tables, sources }: Block, rowsOf: (table: string) => number): number {
  const rows = [...tables.map(rowsOf), ...sources.map((source) => rowsIn(source, rowsOf))];
  return rows.reduce((product, each) => product * each, 1);
}

const tokens = /'(?:[^']|'')*'|`[^`]*`|"[^"]*"|\?|\w+|[^\s\w]/g;

function blockOf(sql: string): Block {
  const newBlock = (): Block => ({ tables: [], sources: [], inner: [], values: 0 });
  let block = newBlock();
  const around: Block[] = [];
  // Whether the next name or bracket is a source of FROM or JOIN.
  let isSource = false;
  for (const [token] of sql.matchAll(tokens)) {
    if (/^(from|join)$/i.test(token)) {
      isSource = true;
      continue;
    }
    if (token === '(') {
      const inner = newBlock();
      (isSource ? block.sources : block.inner).push(inner);
      around.push(block);
      block = inner;
    } else if (token === ')') block = around.pop() ?? block;
    else if (token === '?') block.values++;
    else if (isSource && /^[`"]main[`"]$/.test(token)) continue;
    else if (isSource && token === '.') continue;
    else if (isSource) block.tables.push(/^[`"]/.test(token) ? token.slice(1, -1) : '');
    isSource = false;
  }
  return block;
}

/** Rows that a bounded page may skip, which takes less than half a millisecond. */
export const mostSkipped = 10_000;

/** The most values of a bounded read of Prisma, such as a list of ids. */
const mostValues = 100;

/** The capacity for remembered statements, in characters. */
const charactersKept = 500_000;

/** Tells by their plans which reads are bounded. Any other is slower for its request but never blocks others. */
export class ReadBounds {
  readonly #known = new WeighedCache<ReadBound>(charactersKept, (sql) => sql.length);

  constructor(private readonly connection: SqliteConnection) {}

  /**
   * The bound of a read of Prisma; undefined for a statement that is no read. It is bounded where its plan finds all rows by the
   * leading column of an index: few records by their ids, or the lines of a few parents; and a page of a list without
   * conditions, unless the caller sees only some of its records.
   */
  ofPrisma({ sql, args }: Pick<SqlQuery, 'sql' | 'args'>, isLimited: boolean): ReadBound | undefined {
    if (!isLimited && page.test(sql)) return Number(args.at(-1)) <= mostSkipped ? 'bounded' : 'unbounded';
    const known = this.#known.get(sql);
    if (known || !this.connection.isRead(sql)) return known;
    if (args.length > mostValues) return 'unbounded';
    return this.#boundOf(sql, args.length, isLimited ? boundedByIds : bounded);
  }

  /** Whether a read that is bounded for others is so for a caller who sees only some records: an index finds those. */
  ofLimited(sql: string, values: number): ReadBound {
    return this.#boundOf(sql, values, boundedBehindRule);
  }

  #boundOf(sql: string, values: number, step: RegExp): ReadBound {
    const known = this.#known.get(sql);
    if (known) return known;
    const plan = { sql: `EXPLAIN QUERY PLAN ${sql}`, args: Array<null>(values).fill(null), argTypes: [] };
    const steps = this.connection.query(plan).rows.map((row) => String(row.at(-1)));
    const made = new Set(steps.flatMap((each) => /^CO-ROUTINE (.*)/.exec(each)?.[1] ?? []));
    // The rows of a subquery are those that its own steps have found.
    const isMade = (each: string) => made.has(/^SCAN (.*)/.exec(each)?.[1] ?? '') || each.startsWith('CO-ROUTINE ');
    const bound = steps.every((each) => isMade(each) || step.test(each)) ? 'bounded' : 'unbounded';
    this.#known.set(sql, bound);
    return bound;
  }
}

/**
 * A step of a plan that visits only the rows of one value of an index. Not of the indexes of links (`gateway_…`): any number of
 * records may name the same one.
 */
const bounded = /^(SEARCH \S+ USING (?!.*INDEX gateway_).*\(\w+=\?|USE TEMP B-TREE)/;

/** The same of a caller's views: any number of records may have the value for which a rule asks. */
const boundedByIds =
  /^(SEARCH \S+ USING (?!.*INDEX gateway_).*\((id|\w+Id)=\?|(CORRELATED )?(SCALAR|LIST) SUBQUERY|USE TEMP B-TREE)/;

/** The same of a statement that ends with its page, whose rows an index finds in their order. */
const boundedBehindRule = /^(SEARCH \S+ USING (?!.*INDEX gateway_).*\(\w+=\?|(CORRELATED )?(SCALAR|LIST) SUBQUERY)/;

/** The end of a page in the order of its ids, as Prisma writes it. Its last value is the offset. */
const page =
  / WHERE \(?(?:1=1)?(?: AND )?(?:[`\w.]+`id` [<>]=? \?)?\)? ORDER BY [`\w.]+`id` (?:ASC|DESC) LIMIT \? OFFSET \?$/;

/**
 * Reads on a separate connection. All reads in one turn of the event loop share a snapshot, because opening and closing
 * one costs a tenth of a short read. A snapshot sees every write acknowledged before its turn; a write acknowledged
 * during the turn calls `renew`, so that no read sees older data than has been acknowledged.
 */
export class SqliteSnapshot {
  #isOpen = false;

  constructor(private readonly connection: SqliteConnection) {}

  read(sql: string, values: readonly (string | number)[]): Rows {
    this.#begin();
    return this.connection.rows(sql, values);
  }

  query(query: SqlQuery): SqlResultSet {
    this.#begin();
    return this.connection.query(query);
  }

  #begin(): void {
    if (this.#isOpen) return;
    this.connection.control('BEGIN');
    this.#isOpen = true;
    setImmediate(() => this.renew());
  }

  /** Ends the snapshot, so that the next read sees the latest commit. */
  renew(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // After a read that failed, SQLite may have ended it. A COMMIT would fail too, after a read that met a damaged page.
    if (this.connection.inTransaction) this.connection.control('ROLLBACK');
  }

  close(): void {
    this.renew();
    this.connection.close();
  }
}
