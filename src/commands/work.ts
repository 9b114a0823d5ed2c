/**
 * What commands do with a database, in one module that they load when they are asked for it: each module that is loaded
 * by itself would split the bundle further, also for `serve`.
 */
export { createKey, listKeys, revokeKey, rotateKey } from '../access/api-keys.js';
export { makeBackup } from '../backup/make-backup.js';
export { restoreBackup } from '../backup/restore-backup.js';
export { checkDatabase, repair } from '../check/check-database.js';
export { explainingStart } from '../database/explain-start.js';
export { openDatabase } from '../database/open-database.js';
export { readMigrationStatus } from '../database/prepare-database.js';
export { sqlitePath } from '../database/sqlite/open-sqlite.js';
export { fileDestination, streamDestination } from '../transfer/export/destination.js';
export { csvForm, jsonForm } from '../transfer/export/document-form.js';
export { folderDestination } from '../transfer/export/folder-destination.js';
export { runExport } from '../transfer/export/run-export.js';
export { fileInput } from '../transfer/import/input.js';
export { runImport } from '../transfer/import/run-import.js';
export { runSeed } from '../transfer/seed/run-seed.js';
export { fillDatabase, readDatabase, requireDatabase, withDatabase } from './with-database.js';
