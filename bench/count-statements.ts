/** Counts all calls of better-sqlite3 in this process. */
import Database from 'better-sqlite3';

export interface StatementCounts {
  /** Executed statements, including BEGIN and COMMIT. */
  statements: number;
  /** Statements that were prepared, that is parsed and planned. */
  prepared: number;
}

/** Starts counting; the returned counts increase as statements run. */
export function countStatements(): StatementCounts {
  const counts: StatementCounts = { statements: 0, prepared: 0 };
  const memory = new Database(':memory:');
  const statement = Object.getPrototypeOf(memory.prepare('SELECT 1'));
  memory.close();
  for (const name of ['run', 'get', 'all', 'iterate']) tell(statement, name, () => counts.statements++);
  tell(Database.prototype, 'prepare', () => counts.prepared++);
  tell(Database.prototype, 'exec', ([sql]) => {
    counts.statements += String(sql)
      .split(';')
      .filter((part) => part.trim()).length;
  });
  return counts;
}

/** Calls `told` before each call of a method. */
function tell(prototype: object, name: string, told: (args: unknown[]) => void): void {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new Error(`better-sqlite3 has no ${name}`);
  Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
    told(args);
    return method.apply(this, args);
  });
}
