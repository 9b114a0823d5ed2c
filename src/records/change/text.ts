/** A statement that is being written: its text by the rules of one database, and the values it binds, in their order. */
import type { Provider } from '../../database/migration-history.js';
import type { Statement, Value } from '../../work.js';
import { storedBy } from './stored.js';

export class Text {
  readonly values: Value[] = [];

  constructor(readonly provider: Provider) {}

  /** The place of a value. SQLite numbers places by itself, so they are bound in the order in which they stand. */
  bind(value: unknown): string {
    this.values.push(storedBy[this.provider](value));
    return this.provider === 'sqlite' ? '?' : `$${this.values.length}`;
  }

  /** What stands behind a column that is to hold one of many ids: one value, however many they are. */
  among(ids: readonly string[]): string {
    const place = this.bind(JSON.stringify(ids));
    return this.provider === 'sqlite'
      ? `IN (SELECT value FROM json_each(${place}))`
      : `= ANY (ARRAY(SELECT json_array_elements_text(${place}::json)))`;
  }

  /** Holds the rows of a SELECT still until the transaction ends. SQLite has one writer at a time and needs no lock. */
  get locked(): string {
    return this.provider === 'sqlite' ? '' : ' FOR UPDATE';
  }

  statement(sql: string): Statement {
    return { sql, values: this.values };
  }
}

export const quoted = (name: string): string => `"${name}"`;

/** The most values SQLite binds in one statement is 32,766. */
const mostValues = 30_000;

/** Parts of a list of which each takes so many values, as many as one statement binds. PostgreSQL is given one value for all. */
export function* parts<Item>(provider: Provider, items: readonly Item[], width: number): Generator<readonly Item[]> {
  const size = provider === 'sqlite' ? Math.max(1, Math.floor(mostValues / width)) : items.length;
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
