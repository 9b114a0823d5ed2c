/**
 * What commands do with a database, in one module that they load when they are asked for it: each module that is loaded
 * by itself would split the bundle further, also for `serve`.
 */

export { explainingStart } from '../database/explain-start.js';
export { openDatabase } from '../database/open-database.js';
export { readMigrationStatus } from '../database/prepare-database.js';
export { sqlitePath } from '../database/sqlite/open-sqlite.js';
export { makeBackup } from '../features/backup/make-backup.js';
export { restoreBackup } from '../features/backup/restore-backup.js';
export { checkDatabase, repair } from '../features/check/check-database.js';
export { createKey, listKeys, revokeKey, rotateKey } from '../features/keys/api-keys.js';
export { fileDestination, streamDestination } from '../features/transfer/export/destination.js';
export { csvForm, jsonForm } from '../features/transfer/export/document-form.js';
export { folderDestination } from '../features/transfer/export/folder-destination.js';
export { runExport } from '../features/transfer/export/run-export.js';
export { fileInput } from '../features/transfer/import/input.js';
export { runImport } from '../features/transfer/import/run-import.js';
export { runSeed } from '../features/transfer/seed/run-seed.js';
export { fillDatabase, readDatabase, requireDatabase, withDatabase } from './with-database.js';
