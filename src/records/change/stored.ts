/** Converts column values to the form in which each database stores them. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Value } from '../../work.js';

export const storedBy: Record<Provider, (value: unknown) => Value> = { sqlite, postgresql };

/** As Prisma stores them: timestamps as text in UTC, booleans as 0 or 1. */
function sqlite(value: unknown): Value {
  if (value instanceof Date) return value.toISOString().replace('Z', '+00:00');
  if (typeof value === 'boolean') return value ? 1 : 0;
  return plainValue(value);
}

/** As text, because the driver would write timestamps in the local time zone. */
function postgresql(value: unknown): Value {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return String(value);
  return plainValue(value);
}

function plainValue(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A ${typeof value} is no value of a column`);
}
