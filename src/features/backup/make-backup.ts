import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExplainedError } from '../../common/config-error.js';
import { digestOf, withOpen } from '../../common/open-file.js';
import { writeProblem } from '../../common/write-problem.js';
import { type HeldFolder, holdFolder } from '../../database/held-folder.js';
import { requireOurs } from '../../database/sqlite/open-sqlite.js';
import { readableFile } from '../../database/sqlite/sqlite-file.js';
import { vacuumInto } from '../../database/sqlite/whole-file.js';
import type { Feature } from '../../gateway/feature.js';
import { checkDatabase } from '../check/check-database.js';
import { integrity } from '../check/integrity.js';

/**
 * Writes the SQLite database at `path` to `name`, while gateways write it: everything that was acknowledged before is in
 * it. The file gets its name only after a copy of it was restored and checked. @throws BackupError
 */
export async function makeBackup(path: string, name: string, features: readonly Feature[]) {
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
    const verified = await restoreCopy(partial, join(held.folder, 'restored.db'), undefined, features);
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

/** The result of checking a copy: the problems of its records, if any. The original has the same. */
export interface Verified {
  digest: string;
  problems: string[];
}

/**
 * Restores `file` as `copy`, a file that does not exist, and checks it. @throws BackupError if it has another digest than
 * `expected`, or is damaged
 */
export async function restoreCopy(
  file: string,
  copy: string,
  expected: string | undefined,
  features: readonly Feature[],
): Promise<Verified> {
  copyFileSync(file, copy, constants.COPYFILE_EXCL);
  sync(copy);
  const digest = withOpen(copy, digestOf);
  if (expected !== undefined && digest !== expected) {
    throw new BackupError(
      `${file} has changed since it was made: its digest is ${digest}, and not ${expected}. Take another backup.`,
    );
  }
  // A database that lacks migrations is still a backup: one from before an upgrade.
  const [, ...results] = await checkDatabase(pathToFileURL(copy).href, features);
  const damage = results.find(({ holds }) => holds === integrity.holds)?.problems ?? [];
  if (damage.length > 0) throw new BackupError(`${file} is damaged: ${damage.join('; ')}. Take another backup.`);
  return { digest, problems: results.flatMap(({ problems }) => problems) };
}

/** Resolves when the file, or the names in a folder, are on disk. */
export const sync = (path: string): void => withOpen(path, fsyncSync);

/** A backup cannot be made or restored. The message says why, and what to do. */
export class BackupError extends ExplainedError {}

/**
 * The digest of a backup, in a file beside it as `sha256sum` writes and checks it. SQLite has no checksums of its own,
 * so only the digest shows that a backup has changed.
 */
const digestFile = (file: string): string => `${file}.sha256`;

const digestLine = (digest: string, file: string): string => `${digest}  ${basename(file)}\n`;

/** The digest that stands beside the file; undefined if there is none. */
export function readDigest(file: string): string | undefined {
  try {
    return /^[0-9a-f]{64}\b/.exec(readFileSync(digestFile(file), 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}
