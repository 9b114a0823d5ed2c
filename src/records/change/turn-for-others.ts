/** Lets others have their turn before a long plan is prepared, which on SQLite happens in the thread of all. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Statement } from '../../work.js';
import type { Plan } from './plan.js';

/** A statement that does nothing: on SQLite, others have their turns between statements. It begins no transaction. */
export const turnForOthers: Statement = { sql: 'SELECT 1', values: [], isChecked: true };

/** Whether the preparation of a plan takes so long that others need a turn behind it. */
export const isLongOnSqlite = (provider: Provider, { steps }: Plan): boolean =>
  provider === 'sqlite' && steps.some((step) => 'rows' in step && step.rows.length > manyRows);

/** Rows whose preparation takes some ten milliseconds. */
const manyRows = 1_000;
