import { closeSync, existsSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeProblem } from '../../common/write-problem.js';
import { type HeldFolder, holdFolder } from '../../database/held-folder.js';
import { requireOurs } from '../../database/sqlite/open-sqlite.js';
import { readableFile } from '../../database/sqlite/readable-file.js';
import { vacuumInto } from '../../database/sqlite/vacuum-into.js';
import { BackupError } from './backup-error.js';
import { restoreCopy, sync, type Verified } from './copy.js';
import { digestFile, digestLine } from './digest.js';

export interface Backup extends Verified {
  file: string;
  bytes: number;
}

/**
 * Writes the SQLite database at `path` to `name`, while gateways write it: everything that was acknowledged before is in
 * it. The file gets its name only after a copy of it was restored and checked. @throws BackupError
 */
export async function makeBackup(path: string, name: string): Promise<Backup> {
  const file = resolve(name);
  for (const taken of [file, digestFile(file)]) {
    if (existsSync(taken)) throw new BackupError(`${taken} exists. Give another name, or remove it.`);
  }
  let held: HeldFolder | undefined;
  try {
    held = holdFolder(file, 'partial');
    const partial = join(held.folder, 'copy.db');
    // Readable by this user only, as the database is.
    closeSync(openSync(partial, 'wx', 0o600));
    await requireOurs(path, readableFile(path));
    await vacuumInto(path, partial);
    sync(partial);
    const verified = await restoreCopy(partial, join(held.folder, 'restored.db'), undefined);
    writeFileSync(digestFile(file), digestLine(verified.digest, file), { mode: 0o600, flag: 'wx', flush: true });
    renameSync(partial, file);
    sync(dirname(file));
    return { file, bytes: statSync(file).size, ...verified };
  } catch (error) {
    const problem = writeProblem(file, error, ' and a copy of it, by which it is verified');
    throw problem === undefined ? error : new BackupError(problem);
  } finally {
    held?.leave();
  }
}
