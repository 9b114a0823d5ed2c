import { ExplainedError } from '../../common/config-error.js';
import { type DatabaseProblem, databaseProblem } from '../../database/database-problem.js';

/** Records cannot be exported or imported. The message says why, and what to do. */
export class TransferError extends ExplainedError {}

/** The error to print: what is wrong with the database, and `then` what has become of the work. */
export function failureToPrint(error: unknown, then: string): unknown {
  if (error instanceof ExplainedError) return error;
  const problem = databaseProblem(error);
  return problem ? new TransferError(`${messages[problem]} ${then}`, { cause: error }) : error;
}

const messages: Record<DatabaseProblem, string> = {
  busy: 'The database is busy: another process holds it.',
  database_unavailable: 'The database cannot be reached.',
  storage_full: 'The disk of the database is full.',
  read_only: 'The database is read-only.',
  damaged: 'The database is damaged, or is not a database; `records check` says where.',
  gone: 'The file of the database was removed, moved or replaced.',
  overwritten: 'The file of the database was truncated or overwritten by another program.',
  number_taken: 'A sequence of the database is behind; start a gateway, which raises it.',
  timeout: 'The database took too long.',
  conflict: 'Other processes keep changing the same records.',
};
