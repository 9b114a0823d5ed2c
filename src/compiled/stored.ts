/** Values of columns as each database is given them to store. */
import type { Statement } from '../database/direct.js';
import { exactNumberOf } from '../database/exact-number.js';
import type { Provider } from '../database/migration-history.js';

type Stored = Statement['values'][number];

export const storedBy: Record<Provider, (given: unknown) => Stored> = { sqlite, postgresql };

/** As Prisma stores it: a timestamp as text in UTC, a boolean as 0 or 1. */
function sqlite(given: unknown): Stored {
  if (given instanceof Date) return given.toISOString().replace('Z', '+00:00');
  if (typeof given === 'boolean') return given ? 1 : 0;
  return plainValue(given);
}

/** As text where the driver would write it in the zone of this machine. */
function postgresql(given: unknown): Stored {
  if (given instanceof Date) return given.toISOString();
  if (typeof given === 'boolean') return String(given);
  return plainValue(given);
}

function plainValue(given: unknown): Stored {
  const value = exactNumberOf(given);
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A ${typeof value} is no value of a column`);
}
