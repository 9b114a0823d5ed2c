import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { once } from '../../common/once.js';

/** The part of a driver adapter that the engine's commands use. */
export type EngineAdapter = Pick<
  SqlDriverAdapter,
  'provider' | 'adapterName' | 'queryRaw' | 'executeRaw' | 'executeScript' | 'getConnectionInfo'
>;

/**
 * Starts Prisma's schema engine on `adapter`: the WebAssembly build from npm of the engine inside the `prisma` command,
 * which needs no download. Takes about 40 ms. The caller calls `free()`, and keeps ownership of `adapter`.
 * `onScriptFailed` receives the database's own error for a failed migration, which the engine's error hides.
 */
export async function startSchemaEngine(
  adapter: EngineAdapter,
  onScriptFailed: (script: string, error: unknown) => void = () => undefined,
): Promise<SchemaEngine> {
  const { SchemaEngine } = await loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(sharedFactory(adapter, onScriptFailed));
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
function sharedFactory(
  adapter: EngineAdapter,
  onScriptFailed: (script: string, error: unknown) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const { provider, adapterName } = adapter;
  const shared: SqlDriverAdapter = {
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
    connect: async () => shared,
    connectToShadowDb: () => Promise.reject(new Error('No command in use here needs a shadow database')),
  };
}
