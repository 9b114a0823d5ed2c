/** Converts column values to the form in which each database stores them. */

import type { Value } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';

export const storedBy: Record<Provider, (value: unknown) => Value> = { sqlite, postgresql };

/** As Prisma stores them: timestamps as text in UTC, booleans as 0 or 1. */
function sqlite(value: unknown): Value {
  if (isPlain(value)) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return timestamp(value);
  throw notStorable(value);
}

/** As text, because the driver would write timestamps in the local time zone. */
function postgresql(value: unknown): Value {
  if (isPlain(value)) return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  throw notStorable(value);
}

let last = { time: Number.NaN, text: '' };

/** The last text is kept, because a record is created and changed in the same instant, and so are the next ones. */
function timestamp(date: Date): string {
  const time = date.getTime();
  if (time !== last.time) last = { time, text: date.toISOString().replace('Z', '+00:00') };
  return last.text;
}

const isPlain = (value: unknown): value is Value =>
  typeof value === 'string' || value === null || typeof value === 'number';

const notStorable = (value: unknown): Error => new TypeError(`A ${typeof value} is not a value of a column`);
