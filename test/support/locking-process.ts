/** A process that holds the write lock of the SQLite file `argv[2]` for `argv[3]` milliseconds. */
import Database from 'better-sqlite3';

const [, , path = '', milliseconds = ''] = process.argv;
const database = new Database(path);
database.exec('BEGIN IMMEDIATE');
console.log('locked');
setTimeout(() => {
  database.exec('ROLLBACK');
  database.close();
}, Number(milliseconds));
