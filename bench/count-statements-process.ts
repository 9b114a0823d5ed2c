/** Preloaded into a server (`node --import`): reports its SQLite statement counts to the parent process on request. */
import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { safeLibrary } from '../src/database/sqlite/sqlite-library.js';
import { countStatements } from './count-statements.js';

// The built gateway has a copy of better-sqlite3 of its own.
const Sqlite: typeof Database = createRequire(process.argv[1] ?? import.meta.url)(safeLibrary());
const counts = countStatements(undefined, Sqlite);
process.on('message', () => process.send?.(counts));
process.channel?.unref();
