import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { DatabaseStartError, databaseMessage } from '../database-start-error.js';
import type { DirectAccess } from '../direct-access.js';
import type { MigrationConnection } from '../migrations/migrate.js';
import { openPostgresqlMigration } from '../migrations/postgresql-migration.js';
import { profileOf } from '../profile.js';
import { poolerIn } from './pooler.js';
import { type PostgresqlOptions, postgresqlAdapter } from './postgresql.js';

/**
 * Connects once, so that a wrong URL is reported at start, and a pooler noticed. Migrations go past it, where `directUrl` says
 * how. @throws DatabaseStartError
 */
export async function preparePostgresql(
  { url, directUrl, readUrls = [] }: { url: string; directUrl?: string | undefined; readUrls?: readonly string[] },
  options: PostgresqlOptions,
): Promise<{ migration: MigrationConnection; adapter: SqlDriverAdapterFactory; openDirect(): DirectAccess }> {
  try {
    if (directUrl !== undefined && profileOf(directUrl) !== profileOf(url)) {
      throw new DatabaseStartError(
        'DATABASE_URL and DATABASE_DIRECT_URL name different profiles: write ?profile=… in both.',
      );
    }
    const migration = await openPostgresqlMigration(directUrl ?? url);
    const isPooled = poolerIn(url) ?? (directUrl !== undefined || migration.isPooled);
    const { adapter, ...direct } = postgresqlAdapter({ url, isPooled, directUrl, readUrls }, options);
    return { migration, adapter, openDirect: () => direct };
  } catch (error) {
    throw error instanceof DatabaseStartError ? error : connectionProblem(directUrl ?? url, error);
  }
}

/** Why PostgreSQL at `url` cannot be used. */
export function connectionProblem(url: string, error: unknown): DatabaseStartError {
  const { place, user, database } = partsOf(url);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new DatabaseStartError(messageFor(code), { cause: error });

  function messageFor(code: string): string {
    if (/^(28P01|28000)$/.test(code)) {
      return `PostgreSQL at ${place} does not let the user ${user} in. Check the user and the password in DATABASE_URL.`;
    }
    if (code === '3D000') {
      return `PostgreSQL at ${place} has no database ${database}. Make it (\`createdb ${database}\`), or set DATABASE_URL.`;
    }
    if (code === '53300') return `PostgreSQL at ${place} has no connection left. Raise max_connections, or free some.`;
    return `PostgreSQL at ${place} cannot be reached (${code || databaseMessage(error)}). Start it, or set DATABASE_URL to where it runs.`;
  }
}

/** The parts of a URL that may be shown: never the password. */
function partsOf(url: string): { place: string; user: string; database: string } {
  try {
    const { host, username, pathname } = new URL(url);
    return {
      place: host || 'localhost',
      user: decodeURIComponent(username),
      database: decodeURIComponent(pathname.slice(1)),
    };
  } catch {
    throw new DatabaseStartError(
      'DATABASE_URL is not a URL. PostgreSQL: postgresql://user:password@host:5432/database.',
    );
  }
}
