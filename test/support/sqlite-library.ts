import { sqliteLibrary } from '../../src/database/sqlite/sqlite-library.js';

/** The version of better-sqlite3 that the gateway uses on this version of Node. */
export const Sqlite = sqliteLibrary();
