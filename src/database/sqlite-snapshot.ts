import type { Rows } from './direct.js';
import type { SqliteConnection } from './sqlite-connection.js';

/**
 * Reads on a connection of their own, all those of one turn of the event loop in one snapshot: to take and to give back a
 * snapshot costs a tenth of a short read. Whoever was answered before a turn began is seen in it; whoever is answered
 * during one calls `renew`, so that nobody reads what is older than an answer.
 */
export class SqliteSnapshot {
  #isOpen = false;

  constructor(private readonly connection: SqliteConnection) {}

  read(sql: string, values: readonly (string | number)[]): Rows {
    if (!this.#isOpen) {
      this.connection.script('BEGIN');
      this.#isOpen = true;
      setImmediate(() => this.renew());
    }
    return this.connection.rows(sql, values);
  }

  /** The next read sees whatever is committed by then. */
  renew(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.connection.script('COMMIT');
  }

  close(): void {
    this.renew();
    this.connection.close();
  }
}
