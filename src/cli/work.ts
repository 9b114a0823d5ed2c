/**
 * What commands do with a database, in one module that they load when they are asked for it: each module that is loaded
 * by itself would split the bundle further, also for `serve`.
 */

export { explainingStart } from '../database/explain-start.js';
export { openDatabase } from '../database/open-database.js';
export { readMigrationStatus } from '../database/prepare-database.js';
export { sqlitePath } from '../database/sqlite/open-sqlite.js';
export { fillDatabase, readDatabase, requireDatabase, withDatabase } from './with-database.js';
