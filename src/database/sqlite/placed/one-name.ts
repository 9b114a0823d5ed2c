import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseStartError } from '../../database-problem.js';

/**
 * SQLite finds the log beside the name by which a file is opened: two processes that open one file by two names in two places
 * lose each other's writes without an error.
 * @throws DatabaseStartError if the file has further names, or is mounted without its folder
 */
export function requireOneName(path: string): void {
  const file = realpathSync(path);
  const { nlink, ino } = statSync(file);
  if (nlink > 1 && nlink > 1 + asides(file, ino)) {
    throw new DatabaseStartError(
      `The database file ${path} has ${nlink} names (hard links). Programs that open it by different ones lose each other's writes. ` +
        `Give it a file of its own, while nothing has it open: \`cp -p '${path}' '${path}.own' && mv '${path}.own' '${path}'\`.`,
    );
  }
  if (isMounted(file)) {
    throw new DatabaseStartError(
      `The database file ${path} is mounted by itself, without its folder, so that its log is left outside. Mount the folder.`,
    );
  }
}

/** The names that a restore has given the old database, if it was interrupted. */
const asides = (file: string, ino: number): number =>
  readdirSync(dirname(file)).filter(
    (name) =>
      name.startsWith(`${basename(file)}.replaced-`) &&
      statSync(join(dirname(file), name), { throwIfNoEntry: false })?.ino === ino,
  ).length;

/** On Linux; elsewhere there are no such mounts. */
function isMounted(file: string): boolean {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((line) => unescaped(line.split(' ')[4]) === file);
  } catch {
    return false;
  }
}

const unescaped = (name = ''): string =>
  name.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
