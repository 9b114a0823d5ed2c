import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { DatabaseStartError } from '../database-problem.js';
import { requireNotLost } from './lost-mark.js';

/**
 * The package with SQLite that is safe on a Node with this version of Node-API, and the only one that may be loaded there.
 * Version 12 of better-sqlite3, built with the headers of Node 24.19 and later, ends the process with "Assertion failed: (env) !=
 * nullptr" when its objects are collected as garbage at certain moments. Version 13 uses Node-API 10 instead, which Node
 * has from 22.14 on: an older one it ends with a segmentation fault when it opens a database.
 */
export function safeLibrary(nodeApi = process.versions.napi): string {
  return Number(nodeApi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3';
}

/** @throws DatabaseStartError where the safe one is not there; never loads the other one instead */
export function sqliteLibrary(): typeof Sqlite {
  const name = safeLibrary();
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    throw unusable(name, error);
  }
}

/** Opens a database that is not marked as lost; the native code is loaded with the first one. @throws errors of better-sqlite3, or DatabaseStartError */
export function openSqliteFile(path: string, options: Sqlite.Options): Sqlite.Database {
  requireNotLost(path);
  const Library = sqliteLibrary();
  try {
    return new Library(path, options);
  } catch (error) {
    const isOfSqlite = error instanceof Library.SqliteError || error instanceof TypeError;
    throw isOfSqlite ? error : unusable(safeLibrary(), error);
  }
}

function unusable(name: string, error: unknown): DatabaseStartError {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return new DatabaseStartError(
    `Node ${process.versions.node} needs the package ${name} for SQLite, and it cannot be loaded (${reason}). ` +
      'Install and build the gateway with this version of Node (`npm ci && npm run build`), run it with the Node that it was ' +
      'built with, or set DATABASE_URL to a PostgreSQL database.',
    { cause: error },
  );
}
