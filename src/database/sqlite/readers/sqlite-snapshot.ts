import type { Rows } from '../../direct-access.js';
import type { SqliteConnection } from '../sqlite-connection.js';

/**
 * Reads on a separate connection. All reads in one turn of the event loop share a snapshot, because opening and closing
 * one costs a tenth of a short read. A snapshot sees every write acknowledged before its turn; a write acknowledged
 * during the turn calls `renew`, so that no read sees older data than has been acknowledged.
 */
export class SqliteSnapshot {
  #isOpen = false;

  constructor(private readonly connection: SqliteConnection) {}

  read(sql: string, values: readonly (string | number)[]): Rows {
    if (!this.#isOpen) {
      this.connection.control('BEGIN');
      this.#isOpen = true;
      setImmediate(() => this.renew());
    }
    return this.connection.rows(sql, values);
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
