import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requireNotLost } from './placed/lost-mark.js';

const copies = new Map<string, string>();

/**
 * Where to read the database at `path`, for who only reads. SQLite makes a log and its index to read; where they are not there and
 * this user cannot make them, on a read-only disk for example, no process writes, and a copy is read, until this process ends.
 */
export function readableFile(path: string): string {
  requireNotLost(path);
  if (!existsSync(path)) return path;
  const file = realpathSync(path);
  const endings = ['-wal', '-shm'].filter((ending) => existsSync(`${file}${ending}`));
  if (endings.length === 2 || mayWrite(dirname(file))) return path;
  const made = copies.get(file) ?? join(mkdtempSync(join(tmpdir(), 'records-')), 'records.db');
  if (copies.has(file)) return made;
  process.once('exit', () => rmSync(dirname(made), { recursive: true, force: true }));
  for (const ending of ['', '-wal']) {
    if (existsSync(`${file}${ending}`)) copyFileSync(`${file}${ending}`, `${made}${ending}`);
  }
  copies.set(file, made);
  return made;
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
