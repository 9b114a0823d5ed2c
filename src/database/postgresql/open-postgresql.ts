import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { ConfigError } from '../../config/config-error.js';
import { type PostgresqlAddress, readAddress } from '../../config/postgresql-address.js';
import type { DirectAccess } from '../direct-access.js';
import type { MigrationConnection } from '../migrations/migrate.js';
import { openPostgresqlMigration } from '../migrations/postgresql-migration.js';
import { poolerIn } from './pooler.js';
import { type PostgresqlOptions, postgresqlAdapter } from './postgresql.js';

/**
 * Connects once, so that a wrong URL is reported at start, and a pooler noticed. Migrations go past it, where `directUrl` says
 * how. @throws DatabaseStartError
 */
export async function preparePostgresql(
  { url, directUrl, readUrls = [] }: { url: string; directUrl?: string | undefined; readUrls?: readonly string[] },
  { warn, ...options }: PostgresqlOptions & { warn(message: string): void },
): Promise<{ migration: MigrationConnection; adapter: SqlDriverAdapterFactory; openDirect(): DirectAccess }> {
  const address = readAddress(url);
  requireSamePlace(address, [directUrl ?? [], readUrls].flat());
  const migration = await openPostgresqlMigration(directUrl ?? url);
  for (const risk of migration.risks) warn(risk);
  const isPooled = poolerIn(address) ?? (directUrl !== undefined || migration.isPooled);
  const { adapter, ...direct } = postgresqlAdapter(
    { address, version: migration.version, isPooled, directUrl, readUrls },
    options,
  );
  return { migration, adapter, openDirect: () => direct };
}

/** All addresses lead to the same tables. */
function requireSamePlace({ parameters: { profile, schema } }: PostgresqlAddress, others: readonly string[]): void {
  for (const { parameters } of others.map(readAddress)) {
    if (parameters.schema === schema && parameters.profile === profile) continue;
    throw new ConfigError([
      'DATABASE_URL, DATABASE_DIRECT_URL and DATABASE_READ_URL must name the same schema and profile: write ?schema=… or ?profile=… in all of them.',
    ]);
  }
}
