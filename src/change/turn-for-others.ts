/** Lets other work run before a long plan is prepared, because on SQLite this happens in the main thread. */

import type { Statement } from '../common/work.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Plan } from './plan.js';

/** A statement that does nothing: on SQLite, other work can run between two statements. It begins no transaction. */
export const turnForOthers: Statement = { sql: 'SELECT 1', values: [], isChecked: true };

/** Whether preparing a plan takes so long that other work needs a turn. */
export const isLongOnSqlite = (provider: Provider, { steps }: Plan): boolean =>
  provider === 'sqlite' && steps.some((step) => 'rows' in step && step.rows.length > manyRows);

/** Rows whose preparation takes some ten milliseconds. */
const manyRows = 1_000;
