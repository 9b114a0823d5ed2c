/**
 * A date of a key as text: `2026-01-31T09:30:00.000+00:00` on SQLite, `2026-01-31 09:30:00.5` on PostgreSQL, both in UTC.
 */
export function dateOf(text: unknown): Date | null {
  if (typeof text !== 'string') return null;
  const date = new Date(`${text.slice(0, 23).replace(' ', 'T')}Z`);
  // A key whose expiry cannot be read must not count as one that never expires.
  if (Number.isNaN(date.getTime())) throw new Error('A date of a key has an unknown form');
  return date;
}
