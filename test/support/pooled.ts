/** Whether the databases of this run are reached through PgBouncer: `TEST_POOLER=pgbouncer npx vitest run test/contract`. */
export const isPooled = process.env.TEST_POOLER === 'pgbouncer';
