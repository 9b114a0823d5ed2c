import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** As much of a driver adapter as the engine's commands use. */
export type EngineAdapter = Pick<
  SqlDriverAdapter,
  'provider' | 'adapterName' | 'queryRaw' | 'executeRaw' | 'executeScript' | 'getConnectionInfo'
>;

/**
 * Prisma's own schema engine, from npm as WebAssembly, working on `adapter`: the engine inside the `prisma` command of
 * the same version, without its download. Takes about 40 ms. `free()` it when done; `adapter` stays the caller's.
 * `onScriptFailed` hears of a migration that failed in the database's own words, which the engine's error buries.
 */
export async function startSchemaEngine(
  adapter: EngineAdapter,
  onScriptFailed: (script: string, error: unknown) => void = () => undefined,
): Promise<SchemaEngine> {
  const { SchemaEngine } = await loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(lend(adapter, onScriptFailed));
  return SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
}

/** What the engine's commands ask for besides their own arguments: no table is exempt. */
export const noFilters = { externalTables: [], externalEnums: [] };

type EngineModule = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');
let engine: Promise<EngineModule> | undefined;

/** Node does not import `.wasm` files, so this does what the package's own entry leaves to a bundler. */
function loadEngine(): Promise<EngineModule> {
  engine ??= (async () => {
    const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
    const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
    const module = readFileSync(path.replace(/\.js$/, '.wasm'));
    const { instance } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': { ...bindings } });
    // Both are there in the file and missing from the declarations that come with it.
    const { __wbg_set_wasm: setWasm } = bindings as EngineModule & { __wbg_set_wasm(exports: object): void };
    const { __wbindgen_start: start } = instance.exports;
    setWasm(instance.exports);
    if (typeof start === 'function') start();
    return bindings;
  })();
  return engine;
}

/** A factory that hands out one adapter and does not let the engine close it. */
function lend(
  adapter: EngineAdapter,
  onScriptFailed: (script: string, error: unknown) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const { provider, adapterName } = adapter;
  const lent: SqlDriverAdapter = {
    provider,
    adapterName,
    queryRaw: (query) => adapter.queryRaw(query),
    executeRaw: (query) => adapter.executeRaw(query),
    executeScript: (script) =>
      adapter.executeScript(script).catch((error: unknown) => {
        onScriptFailed(script, error);
        throw error;
      }),
    startTransaction: () => Promise.reject(new Error('The engine runs inside a transaction and never asks for one')),
    getConnectionInfo: () => ({ supportsRelationJoins: false, ...adapter.getConnectionInfo?.() }),
    dispose: async () => undefined,
  };
  return {
    provider,
    adapterName,
    connect: async () => lent,
    connectToShadowDb: () => Promise.reject(new Error('No command in use here needs a shadow database')),
  };
}
