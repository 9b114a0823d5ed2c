/** Which texts are addresses of a database. */
import { fileURLToPath } from 'node:url';
import { addressProblem } from './postgresql-address.js';

/** What is wrong with an address, as the end of a sentence that begins with its setting; undefined if it can be used. */
export function databaseUrlProblem(url: string): string | undefined {
  if (url.startsWith('file:')) return fileProblem(url);
  return isPostgresql(url) ? addressProblem(url) : 'must begin with file: (SQLite) or postgresql:// (PostgreSQL).';
}

/** The same where the database is PostgreSQL. */
export function postgresqlUrlProblem(url: string): string | undefined {
  return isPostgresql(url) ? addressProblem(url) : 'must begin with postgresql://.';
}

const isPostgresql = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

function fileProblem(url: string): string | undefined {
  const path = url.slice('file:'.length);
  if (path === '' || path.includes('\0')) return 'must name a file, such as file:./data/records.db.';
  if (path.startsWith(':')) return 'must name a file: a database in memory would lose every record with the process.';
  if (path.includes('?')) return 'has parameters after a ?, and a file: address takes none.';
  if (!path.startsWith('//')) return undefined;
  try {
    if (!path.includes('#') && fileURLToPath(url)) return undefined;
  } catch {
    // It names another machine, or escapes something wrongly.
  }
  return 'is no address of a file on this machine, such as file:///var/lib/records/records.db.';
}
