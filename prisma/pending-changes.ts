/** What the models say and the migrated database does not, as the SQL of the migration that is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationConnection } from '../src/database/migrate.js';
import type { Provider } from '../src/database/migration-history.js';
import { noFilters, startSchemaEngine } from '../src/database/schema-engine.js';
import { missingCounters } from './record-counts.js';

/**
 * The SQL that takes the database behind `connection` to the models, or '' when there is nothing to do. What SQL alone
 * can express, such as triggers and partial indexes, is named `gateway_…` and left alone.
 */
export async function pendingChanges(connection: MigrationConnection): Promise<string> {
  const schema = { files: schemaFiles(connection.provider) };
  const engine = await startSchemaEngine(connection.adapter);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', configDir: import.meta.dirname, ...schema },
      to: { tag: 'schemaDatamodel', ...schema },
      script: true,
      exitCode: null,
      filters: noFilters,
    });
    const changes = await withHandwritten(connection, bytewise(connection, withoutDrops(stdout ?? '')));
    return [changes, await missingCounters(connection)].filter((sql) => sql !== '').join('\n');
  } finally {
    engine.free();
  }
}

/** The models as one schema for `provider`; generators are of no interest here. */
function schemaFiles(provider: Provider): { path: string; content: string }[] {
  const folder = join(import.meta.dirname, 'models');
  const models = readdirSync(folder).filter((name) => name.endsWith('.prisma'));
  return [
    { path: 'schema.prisma', content: `datasource db {\n  provider = "${provider}"\n}\n` },
    ...models.map((name) => ({ path: join('models', name), content: readFileSync(join(folder, name), 'utf8') })),
  ];
}

/**
 * Text is compared byte by byte, on PostgreSQL as on SQLite: the two then sort alike, whatever the server's locale, and
 * an index serves comparisons and prefixes. Prisma's models cannot say so.
 */
function bytewise({ provider }: MigrationConnection, sql: string): string {
  return provider === 'postgresql' ? sql.replace(/^(.*"\w+" TEXT)(?! COLLATE)/gm, '$1 COLLATE "C"') : sql;
}

/** The models know nothing of what is named `gateway_…`, so the engine would drop it. */
function withoutDrops(sql: string): string {
  const statements = sql.split(/\n\n(?=--)/);
  const kept = statements.filter((statement) => !/^DROP (INDEX|TABLE) "gateway_/m.test(statement));
  const text = kept.join('\n\n').trim();
  return text === '' || text === '-- This is an empty migration.' ? '' : `${text}\n`;
}

/**
 * SQLite changes a column by building the table anew, which takes the table's triggers and `gateway_…` indexes with it.
 * Drops the triggers before, because a trigger that names a missing table stops the renaming, and makes all of it again.
 */
async function withHandwritten(connection: MigrationConnection, sql: string): Promise<string> {
  const rebuilt = [...sql.matchAll(/RENAME TO "(\w+)"/g)].map(([, table]) => table ?? '');
  if (connection.provider !== 'sqlite' || rebuilt.length === 0) return sql;
  const { rows } = await connection.adapter.queryRaw({
    sql: `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND (type = 'trigger' OR name LIKE 'gateway\\_%' ESCAPE '\\')`,
    args: [],
    argTypes: [],
  });
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
