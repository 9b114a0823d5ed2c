import type { MaybePromise } from '../../common/maybe-promise.js';
import type { Rows, RunQuery } from '../sql/statement.js';

/**
 * Runs a statement only once for the same values: all fields of an operation that ask the same share the rows. So a
 * record under 39 aliases takes no more time of the database and no more memory than under one.
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
