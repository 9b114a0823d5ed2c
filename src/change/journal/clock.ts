/**
 * The microseconds since 1970 in SQL, to which positions are raised. Until the year 2255 they are whole numbers that a
 * double holds exactly.
 */
export const clock = {
  sqlite: `CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)`,
  postgresql: '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint',
} as const;
