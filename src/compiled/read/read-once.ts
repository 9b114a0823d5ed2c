import type { MaybePromise } from '../../maybe-promise.js';
import type { Rows, RunQuery } from '../sql/statement.js';

/**
 * Runs each statement once for its values, for all fields of an operation that ask the same: a fragment under 39 aliases
 * of one record costs the database and the memory what it costs under one.
 */
export function readOnce(read: RunQuery): RunQuery {
  const known = new Map<string, { values: readonly (string | number)[]; rows: MaybePromise<Rows> }[]>();

  return (sql, values, reach) => {
    const asked = known.get(sql) ?? [];
    const same = asked.find((one) => one.values.every((value, index) => value === values[index]));
    if (same) return same.rows;
    const rows = read(sql, values, reach);
    asked.push({ values, rows });
    known.set(sql, asked);
    return rows;
  };
}
