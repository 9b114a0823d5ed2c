/** Counts the calls of better-sqlite3 in this process. */
import type Database from 'better-sqlite3';
import { sqliteLibrary } from '../src/database/sqlite/sqlite-library.js';

export interface StatementCounts {
  /** Executed statements, including BEGIN and COMMIT. */
  statements: number;
  /** Statements that were prepared, that is parsed and planned. */
  prepared: number;
}

/**
 * Starts counting, of the database `file` or of all; the returned counts increase as statements run. `Sqlite` is the copy
 * of the package that the process uses.
 */
export function countStatements(file?: string, Sqlite: typeof Database = sqliteLibrary()): StatementCounts {
  const counts: StatementCounts = { statements: 0, prepared: 0 };
  const memory = new Sqlite(':memory:');
  const statement = Object.getPrototypeOf(memory.prepare('SELECT 1'));
  memory.close();
  const isCounted = (database: Database.Database) => file === undefined || database.name === file;
  for (const name of ['run', 'get', 'all', 'iterate']) {
    tell(statement, name, (called: Database.Statement) => {
      if (isCounted(called.database)) counts.statements++;
    });
  }
  tell(Sqlite.prototype, 'prepare', (called: Database.Database) => {
    if (isCounted(called)) counts.prepared++;
  });
  tell(Sqlite.prototype, 'exec', (called: Database.Database, [sql]) => {
    if (!isCounted(called)) return;
    counts.statements += String(sql)
      .split(';')
      .filter((part) => part.trim()).length;
  });
  return counts;
}

/** Calls `told` before each call of a method, with what it is called on. */
function tell<Called>(prototype: object, name: string, told: (called: Called, args: unknown[]) => void): void {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new Error(`better-sqlite3 has no ${name}`);
  Reflect.set(prototype, name, function (this: Called, ...args: unknown[]) {
    told(this, args);
    return method.apply(this, args);
  });
}
