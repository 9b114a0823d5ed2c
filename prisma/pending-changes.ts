/** The difference between the models and the migrated database, as SQL for the missing migration. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationConnection } from '../src/database/migrations/migrate.js';
import type { MigrationHistory, Provider } from '../src/database/migrations/migration-history.js';
import { missingLinkIndexes } from './link-indexes.js';
import { missingBlocks } from './record-blocks/missing-blocks.js';
import { missingCounters } from './record-counts.js';
import { missingCountsOfProfile } from './record-counts-of-profile.js';
import { noFilters, startSchemaEngine } from './schema-engine.js';

/**
 * The SQL that brings the database behind `connection` up to date with the models; '' if nothing is missing. Objects
 * that only SQL can define, such as triggers and partial indexes, are named `gateway_…` and left alone.
 */
export async function pendingChanges(connection: MigrationConnection): Promise<string> {
  const schema = { files: schemaFiles(connection) };
  const engine = await startSchemaEngine(connection);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', configDir: import.meta.dirname, ...schema },
      to: { tag: 'schemaDatamodel', ...schema },
      script: true,
      exitCode: null,
      filters: noFilters,
    });
    const changes = await withHandwritten(connection, bytewise(connection, withoutDrops(stdout ?? '')));
    const counts =
      connection.history === 'distributed'
        ? [await missingCountsOfProfile(connection)]
        : [await missingCounters(connection), await missingBlocks(connection)];
    const indexes = await missingLinkIndexes(connection);
    return [changes, ...counts, indexes].filter((sql) => sql !== '').join('\n');
  } finally {
    engine.free();
  }
}

interface SchemaFile {
  path: string;
  content: string;
}

/** The models as one schema for a database, without generators. */
function schemaFiles({ provider, history }: Pick<MigrationConnection, 'provider' | 'history'>): SchemaFile[] {
  const folder = join(import.meta.dirname, 'models');
  const models = readdirSync(folder).filter((name) => name.endsWith('.prisma'));
  return [
    { path: 'schema.prisma', content: `datasource db {\n  provider = "${provider}"\n}\n` },
    ...models.map((name) => ({
      path: join('models', name),
      content: modelsFor(provider, history, readFileSync(join(folder, name), 'utf8')),
    })),
  ];
}

/**
 * Ids that the database counts have 64 bits. SQLite counts only in a column that is declared INTEGER, which has them;
 * to Prisma that is an Int, of which PostgreSQL would count 32 bits.
 */
const wideIds = (provider: Provider, models: string): string =>
  provider === 'postgresql' ? models.replace(/\bInt(\s+@id @default\(autoincrement\(\)\))/g, 'BigInt$1') : models;

/** In the profile `distributed` a function takes the place of a sequence, and a view that of the table of counts. */
function modelsFor(provider: Provider, history: MigrationHistory, models: string): string {
  const wide = wideIds(provider, models);
  if (history !== 'distributed') return wide;
  return wide
    .replaceAll('@default(autoincrement())', '@default(dbgenerated("gateway_next_entry()"))')
    .replace(/^model RecordCount \{[\s\S]*?^\}\n/m, '');
}

/**
 * Adds COLLATE "C" to text columns on PostgreSQL, which Prisma's models cannot express: text is then compared byte by
 * byte as on SQLite, whatever the server's locale, and an index serves comparisons and prefixes.
 */
function bytewise({ provider }: MigrationConnection, sql: string): string {
  return provider === 'postgresql' ? sql.replace(/^(.*"\w+" TEXT)(?! COLLATE)/gm, '$1 COLLATE "C"') : sql;
}

/** Removes statements that drop `gateway_…` objects: the engine does not find them in the models. */
function withoutDrops(sql: string): string {
  const statements = sql.split(/\n\n(?=--)/);
  const kept = statements.filter((statement) => !/^DROP (INDEX|TABLE) "gateway_/m.test(statement));
  const text = kept.join('\n\n').trim();
  return text === '' || text === '-- This is an empty migration.' ? '' : `${text}\n`;
}

/**
 * To change a column, SQLite rebuilds the table, which loses its triggers and `gateway_…` indexes. Drops the triggers
 * first, because a trigger on a missing table prevents the renaming, and creates everything again afterwards.
 */
async function withHandwritten(connection: MigrationConnection, sql: string): Promise<string> {
  const rebuilt = [...sql.matchAll(/RENAME TO "(\w+)"/g)].map(([, table]) => table ?? '');
  if (connection.provider !== 'sqlite' || rebuilt.length === 0) return sql;
  const { rows } = await connection.query(
    `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND (type = 'trigger' OR name LIKE 'gateway\\_%' ESCAPE '\\')`,
  );
  const concerned = rows
    .map(([type, name, text]) => ({ type: String(type), name: String(name), text: String(text) }))
    .filter(({ type, text }) => type !== 'table' && rebuilt.some((table) => text.includes(`"${table}"`)));
  const drops = concerned.filter(({ type }) => type === 'trigger').map(({ name }) => `DROP TRIGGER "${name}";`);
  return [
    ...(drops.length > 0 ? [`-- Made again below\n${drops.join('\n')}\n`] : []),
    sql,
    ...concerned.map(({ text }) => `${text};\n`),
  ].join('\n');
}
