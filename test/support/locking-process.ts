/** A process that holds the write lock of the SQLite file `argv[2]` for `argv[3]` milliseconds. */
import { Sqlite } from './sqlite-library.js';

const [, , path = '', milliseconds = ''] = process.argv;
const database = new Sqlite(path);
database.exec('BEGIN IMMEDIATE');
console.log('locked');
setTimeout(() => {
  database.exec('ROLLBACK');
  database.close();
}, Number(milliseconds));
