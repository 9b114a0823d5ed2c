import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { ConfigError } from '../../common/config-error.js';
import { type PostgresqlAddress, readAddress } from '../database-url.js';
import type { DirectAccess } from '../direct-access.js';
import { explainingStart } from '../explain-start.js';
import type { MigrationConnection } from '../migrations/migrate.js';
import { openPostgresqlMigration } from '../migrations/postgresql-migration.js';
import { poolerIn } from './client.js';
import { type PostgresqlOptions, postgresqlAdapter } from './postgresql.js';
import { toolSession } from './tool-session.js';

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
  const migration = directUrl === undefined ? await openPostgresqlMigration(url) : await openDirectly(directUrl, url);
  for (const risk of migration.risks) warn(risk);
  const isPooled = poolerIn(address) ?? (directUrl !== undefined || migration.isPooled);
  const { adapter, ...direct } = postgresqlAdapter(
    { address, version: migration.version, isPooled, directUrl, readUrls },
    options,
  );
  return { migration, adapter, openDirect: () => direct };
}

/** For migrations past the pooler, of the database that it leads to and of no other. */
async function openDirectly(directUrl: string, url: string) {
  const named = <Result>(work: () => Promise<Result>) => explainingStart(directUrl, work, 'DATABASE_DIRECT_URL');
  const [direct, pooled] = [await named(() => databaseOf(directUrl)), await databaseOf(url)];
  if (direct.name === pooled.name && direct.since === pooled.since)
    return named(() => openPostgresqlMigration(directUrl));
  throw new ConfigError([
    `DATABASE_DIRECT_URL leads to the database ${direct.name}${direct.name === pooled.name ? ' of another server than' : `, and not to ${pooled.name} as`} DATABASE_URL. Nothing was changed. Set it to the same database without the pooler.`,
  ]);
}

/** Its name, and the milliseconds at which its server began, which tell servers apart also behind a pooler. */
async function databaseOf(url: string): Promise<{ name: string; since: string }> {
  // A distributed database has many servers.
  const isDistributed = readAddress(url).parameters.profile === 'distributed';
  const since = isDistributed ? "''" : '(1000 * extract(epoch FROM pg_postmaster_start_time()))::bigint';
  const { client } = await toolSession(url, 'inspection');
  try {
    const { rows } = await client.query(`SELECT current_database() AS "name", ${since} AS "since"`);
    return rows[0];
  } finally {
    await client.end();
  }
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
