import { createRequire } from 'node:module';
import type * as Stock from '@prisma/adapter-better-sqlite3';
import { safeLibrary } from '../../src/database/sqlite/sqlite-library.js';

/**
 * Prisma's own SQLite adapter. It asks for version 12 of better-sqlite3 by its name, on every version of Node: here it gets the
 * version that is safe, and the other one is never loaded.
 */
export const { PrismaBetterSqlite3 } = stockAdapter();

function stockAdapter(): typeof Stock {
  const require = createRequire(import.meta.url);
  const asked = createRequire(require.resolve('@prisma/adapter-better-sqlite3')).resolve('better-sqlite3');
  require(safeLibrary());
  require.cache[asked] = require.cache[require.resolve(safeLibrary())];
  return require('@prisma/adapter-better-sqlite3');
}
