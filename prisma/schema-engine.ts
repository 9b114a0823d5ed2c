import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { once } from '../src/common/kept.js';
import type { MigrationConnection } from '../src/database/migrations/migrate.js';
import { migrationsFolder, readMigrations } from '../src/database/migrations/migration-history.js';

/**
 * Starts Prisma's schema engine on a database: the WebAssembly build from npm of the engine inside the `prisma` command,
 * which needs no download. The caller calls `free()`, and keeps ownership of the connection. The gateway does not need it.
 */
export async function startSchemaEngine(connection: MigrationConnection): Promise<SchemaEngine> {
  const { SchemaEngine } = await loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(factoryOf(connection));
  return SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
}

/** A parameter of the engine's commands: no table is excluded. */
export const noFilters = { externalTables: [], externalEnums: [] };

type EngineModule = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');

/** Loads the `.wasm` file by hand, because Node cannot import it and the package's own entry expects a bundler. */
const loadEngine = once(async (): Promise<EngineModule> => {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const module = readFileSync(path.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': importsOf(bindings) });
  // Both exist, but the package's type declarations lack them.
  const { __wbg_set_wasm: setWasm } = bindings as EngineModule & { __wbg_set_wasm(exports: object): void };
  const { __wbindgen_start: start } = instance.exports;
  setWasm(instance.exports);
  if (typeof start === 'function') start();
  return bindings;
});

/**
 * The functions that the engine calls. Its timers do not keep the process alive, because it never clears that of ten
 * seconds for a lock: a finished command would go on until then.
 */
function importsOf(bindings: EngineModule): WebAssembly.ModuleImports {
  const unreferenced = (handler: () => void, milliseconds: number) => setTimeout(handler, milliseconds >>> 0).unref();
  const timers = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  return { ...bindings, ...Object.fromEntries(timers.map((name) => [name, unreferenced])) };
}

/** A factory that always returns the same adapter and does not let the engine close it. */
function factoryOf(connection: MigrationConnection): SqlMigrationAwareDriverAdapterFactory {
  const names = {
    provider: connection.provider === 'sqlite' ? ('sqlite' as const) : ('postgres' as const),
    adapterName: 'business-records-gateway-migration',
  };
  const queryRaw: SqlDriverAdapter['queryRaw'] = async ({ sql, args }) => {
    // The engine asks for a partial index by its name in double quotes, which are for columns.
    const text = connection.provider === 'sqlite' ? sql.replace(/(?<=\bname = )"(\w+)"/, "'$1'") : sql;
    const { columnNames, columnTypes, rows } = await connection.query(text, args);
    const typeOf = connection.provider === 'sqlite' ? typeOfSqlite : typeOfPostgresql;
    return { columnNames, columnTypes: columnTypes.map(typeOf), rows: rows.map((row) => row.map(asText)) };
  };
  const shared: SqlDriverAdapter = {
    ...names,
    queryRaw,
    // It would lock the database for as long as the connection is open.
    executeRaw: async (query) => (isLock.test(query.sql) ? 0 : (await queryRaw(query)).rows.length),
    executeScript: (script) => connection.run(script),
    startTransaction: () => Promise.reject(new Error('The engine runs inside a transaction and never asks for one')),
    getConnectionInfo: () => ({
      supportsRelationJoins: false,
      ...(names.provider === 'postgres' && { schemaName: 'public' }),
    }),
    dispose: async () => undefined,
  };
  return {
    ...names,
    connect: async () => shared,
    connectToShadowDb: () => Promise.reject(new Error('No command in use here needs a shadow database')),
  };
}

const isLock = /^(SELECT pg_advisory_lock|PRAGMA main\.locking_mode)/i;

/** The engine expects timestamps as texts. */
const asText = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

// The types of the columns of PostgreSQL's catalogue, among them "char", which Prisma's own adapter does not know; any other is read
// as text.
const types: Record<number, ColumnType> = {
  [pg.types.builtins.BOOL]: ColumnTypeEnum.Boolean,
  [pg.types.builtins.INT2]: ColumnTypeEnum.Int32,
  [pg.types.builtins.INT4]: ColumnTypeEnum.Int32,
  [pg.types.builtins.INT8]: ColumnTypeEnum.Int64,
  [pg.types.builtins.OID]: ColumnTypeEnum.Int64,
  [pg.types.builtins.CHAR]: ColumnTypeEnum.Character,
  [pg.types.builtins.TIMESTAMPTZ]: ColumnTypeEnum.DateTime,
  1003: ColumnTypeEnum.TextArray, // name[]
  1005: ColumnTypeEnum.Int32Array, // int2[]
  1009: ColumnTypeEnum.TextArray, // text[]
};

const typeOfPostgresql = (oid: number): ColumnType => types[oid] ?? ColumnTypeEnum.Text;

/** There they are the engine's own. */
const typeOfSqlite = (type: number): ColumnType =>
  Object.values(ColumnTypeEnum).find((each) => each === type) ?? ColumnTypeEnum.Text;

/** The migration history of a database in the format of the engine. */
export function migrationList({ provider, history }: MigrationConnection) {
  const folder = migrationsFolder(history);
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: `provider = "${provider}"\n` },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations(folder).map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
}
