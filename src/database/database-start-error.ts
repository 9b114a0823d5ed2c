import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { ExplainedError } from '../common/explained-error.js';

/** Why the database cannot be used: one line that says what to do. It never contains a password. */
export class DatabaseStartError extends ExplainedError {
  /** Whether it may be over in a moment, because the database cannot be reached or has too much to do. */
  readonly mayPass: boolean;

  constructor(message: string, options: ErrorOptions & { mayPass?: boolean } = {}) {
    super(message, options);
    this.name = 'DatabaseStartError';
    this.mayPass = options.mayPass ?? false;
  }

  static newer(migration: string): DatabaseStartError {
    return new DatabaseStartError(
      `The database belongs to a newer version of the gateway: its migration ${migration} is unknown here. ` +
        'Start that version or a later one, restore a backup made before it, or name its profile in DATABASE_URL.',
    );
  }

  /** Of a database none of whose migrations is known. */
  static otherMigrations(migration: string): DatabaseStartError {
    return new DatabaseStartError(
      `The database belongs to another program: its migration ${migration} is none of the gateway's, and it has none of those. ` +
        'Nothing in it was changed. Set DATABASE_URL to another database.',
    );
  }

  static foreign(path: string): DatabaseStartError {
    return new DatabaseStartError(
      `The database file ${path} belongs to another program: it holds something, but no migrations of the gateway. Nothing in it was changed. Set DATABASE_URL to another file.`,
    );
  }

  static older(migrations: string[]): DatabaseStartError {
    return new DatabaseStartError(
      `The database lacks ${migrations.length === 1 ? 'the migration' : 'the migrations'} ${migrations.join(', ')}, ` +
        'and this does not apply them. Run `records migrate apply`, or start the gateway without MIGRATE=false.',
    );
  }

  static incomplete(differences: readonly string[]): DatabaseStartError {
    const further = differences.length - 2;
    const isTold = differences.every((difference) => difference.includes('; run '));
    return new DatabaseStartError(
      `The database is not what its migrations make: ${differences.slice(0, 2).join('. ')}${further > 0 ? `, and ${further} more` : ''}. ` +
        `\`records check\` names all.${isTold ? '' : ' Was it restored, and that not to the end? Restore it again.'}`,
    );
  }

  static halfRestored(): DatabaseStartError {
    return new DatabaseStartError(
      'The database has tables of the gateway, but no note of its migrations: it was restored, and that not to the end. ' +
        'Restore it again, into an empty database.',
    );
  }

  static failedBefore(migration: string): DatabaseStartError {
    return new DatabaseStartError(
      `The migration ${migration} was begun on this database by another tool and has not finished. ` +
        'If it is not running any more, repair what it left and settle it with `prisma migrate resolve`, or restore a backup.',
    );
  }

  static edited(migration: string): DatabaseStartError {
    return new DatabaseStartError(
      `The migration ${migration} is not the one this database was made with: the file has changed since. ` +
        'Bring the file back to what it was and put the change into a migration of its own, or start on a new database.',
    );
  }

  /** `kept` is the last migration that was not undone, because it builds an index outside of a transaction. */
  static migrationFailed(migration: string, cause: unknown, kept?: string): DatabaseStartError {
    return new DatabaseStartError(
      `The migration ${migration} cannot be applied: ${databaseMessage(cause)}. ` +
        (kept === undefined
          ? 'The database is as it was before. '
          : `What was applied up to ${kept}, which builds an index beside writers, is not undone; the next start goes on there. `) +
        (isBlocked(cause)
          ? 'Other transactions have held what it changes for too long: end them, and start again. ' +
            'On PostgreSQL, pg_stat_activity names them by their xact_start.'
          : 'Start the version that ran before, and report the migration.'),
      { cause },
    );
  }
}

/** Whether another program held a table: PostgreSQL's deadlock_detected and lock_not_available. */
export function isBlocked(error: unknown): boolean {
  const code = error instanceof Error && isDriverAdapterError(error) ? error.cause.originalCode : undefined;
  return code === '40P01' || code === '55P03';
}

/** The database's own message for `error`, if it has one. */
export function databaseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (isDriverAdapterError(error) && error.cause.originalMessage) || error.message;
}

/** As PostgreSQL says it of a write: on a standby, and where transactions were made read-only. Commands that read work there. */
export const readOnlyError = (): Error => Object.assign(new Error('transactions are read-only'), { code: '25006' });
