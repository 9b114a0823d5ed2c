/** A statement under construction: its text in one database's dialect, and its bound values in order. */

import type { Statement, Value } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { storedBy } from '../writes/stored.js';

export class StatementBuilder {
  readonly values: Value[] = [];
  readonly #columns = new Map<string, { value: unknown; place: string }>();

  constructor(readonly provider: Provider) {}

  /**
   * Binds a value and returns its placeholder. SQLite numbers placeholders by position, so values must be bound in the
   * order of the text.
   */
  bind(value: unknown): string {
    this.values.push(this.stored(value));
    return this.provider === 'sqlite' ? '?' : `$${this.values.length}`;
  }

  /**
   * Binds the value that a statement compares with a column, or sets. On PostgreSQL it is sent once, however often that
   * column of the only row of its table has it.
   */
  bindColumn(table: string, column: string, value: unknown): string {
    if (this.provider === 'sqlite') return this.bind(value);
    const key = `${table}.${column}`;
    const known = this.#columns.get(key);
    if (known && known.value === value) return known.place;
    const place = this.bind(value);
    this.#columns.set(key, { value, place });
    return place;
  }

  /** A value in the form in which the database stores it. */
  stored(value: unknown): Value {
    return storedBy[this.provider](value);
  }

  /** Binds a value whose type PostgreSQL cannot know from its place. */
  typed(value: unknown, type: 'text' | 'integer' | 'timestamp(3)'): string {
    const place = this.bind(value);
    return this.provider === 'sqlite' ? place : `${place}::${type}`;
  }

  /** The condition that a column is one of many ids; they are bound as a single value. */
  among(ids: readonly string[]): string {
    const place = this.bind(JSON.stringify(ids));
    return this.provider === 'sqlite'
      ? `IN (SELECT value FROM json_each(${place}))`
      : `= ANY (ARRAY(SELECT json_array_elements_text(${place}::json)))`;
  }

  /**
   * Locks the rows of a SELECT until the transaction ends. SQLite needs no lock, because it has one writer at a time.
   */
  get locked(): string {
    return this.provider === 'sqlite' ? '' : ' FOR UPDATE';
  }

  statement(sql: string): Statement {
    return { sql, values: this.values };
  }
}

export const quoted = (name: string): string => `"${name}"`;

/**
 * The most values in one statement on SQLite, which allows 32,766. Fewer, because a statement cannot be interrupted:
 * with a few hundred rows it takes some milliseconds, and other work can run after it.
 */
export const mostValues = 6_000;

/**
 * Splits items into batches whose values fit into one statement; `width` is the number of values of an item. PostgreSQL
 * gets all of them as one value.
 */
export function* batchesOf<Item>(
  provider: Provider,
  items: readonly Item[],
  width: number,
): Generator<readonly Item[]> {
  const size = provider === 'sqlite' ? Math.max(1, Math.floor(mostValues / width)) : items.length;
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
