/** Values of columns, as each database is given them to store. */
import type { Provider } from '../../database/migration-history.js';
import type { Value } from '../../work.js';

export const storedBy: Record<Provider, (value: unknown) => Value> = { sqlite, postgresql };

/** As Prisma stores it: a timestamp as text in UTC, a boolean as 0 or 1. */
function sqlite(value: unknown): Value {
  if (value instanceof Date) return value.toISOString().replace('Z', '+00:00');
  if (typeof value === 'boolean') return value ? 1 : 0;
  return plainValue(value);
}

/** As text where the driver would write it in the zone of this machine. */
function postgresql(value: unknown): Value {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return String(value);
  return plainValue(value);
}

function plainValue(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A ${typeof value} is no value of a column`);
}
