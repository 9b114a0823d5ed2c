/**
 * Which reads are small whatever they do, because the tables are: they are answered at once, for to ask another process
 * would take longer than they do. A small read is one of a small file, and would be done soon if no index helped it.
 */
import { WeighedCache } from '../weighed-cache.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** Rows that a small read visits at most, each once for every value it is compared with; about a millisecond. */
const mostVisits = 10_000;
/** Pages of a small file, 4 MB: what a few rows hold may be long, too. */
const mostPages = 1000;
/** Characters of a small statement at most: to look at a longer one takes time, too. */
const longest = 4000;
/** Where a read that was taken for small takes longer than this, in milliseconds, none is taken for small for a while. */
const patience = { longest: 20, pause: 10_000 };

export class SmallReads {
  readonly #visits = new WeighedCache<Visits>(500, () => 1);
  #notBefore = 0;

  constructor(private readonly connection: SqliteConnection) {}

  /** The result of a read that is small, whose time is watched. */
  timed<Result>(read: () => Result): Result {
    const startedAt = performance.now();
    const result = read();
    const now = performance.now();
    if (now - startedAt > patience.longest) this.#notBefore = now + patience.pause;
    return result;
  }

  isSmall(sql: string): boolean {
    if (sql.length > longest || performance.now() < this.#notBefore || this.#number('PRAGMA page_count') > mostPages)
      return false;
    const visits = this.#visits.get(sql) ?? visitsOf(blockOf(sql));
    this.#visits.set(sql, visits);
    return visits((table) => this.#rowsOf(table)) <= mostVisits;
  }

  /** At most; of what is no table nobody knows. */
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

/** The most rows that a statement visits, given the most that each of its tables can have. */
type Visits = (rowsOf: (table: string) => number) => number;

/** A statement, or what stands within a pair of brackets in one. */
interface Block {
  /** The tables it reads by name. */
  tables: string[];
  /** The statements it reads like tables. */
  sources: Block[];
  /** What else stands in it in brackets, which may be worked out anew for each of its rows. */
  inner: Block[];
  /** Places of values. */
  values: number;
}

function visitsOf(block: Block): Visits {
  return (rowsOf) => {
    const within = (inner: Block): number => visitsOf(inner)(rowsOf);
    const sum = (blocks: Block[]) => blocks.reduce((total, each) => total + within(each), 0);
    return sum(block.sources) + rowsIn(block, rowsOf) * (1 + block.values + sum(block.inner));
  };
}

/** As if every row of every table met every row of all others. */
function rowsIn({ tables, sources }: Block, rowsOf: (table: string) => number): number {
  const rows = [...tables.map(rowsOf), ...sources.map((source) => rowsIn(source, rowsOf))];
  return rows.reduce((product, each) => product * each, 1);
}

const tokens = /'(?:[^']|'')*'|`[^`]*`|"[^"]*"|\?|\w+|[^\s\w]/g;

function blockOf(sql: string): Block {
  const newBlock = (): Block => ({ tables: [], sources: [], inner: [], values: 0 });
  let block = newBlock();
  const around: Block[] = [];
  // What the next name or bracket is: a table to read from, or anything else.
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
