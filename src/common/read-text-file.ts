import { accessSync, readFileSync } from 'node:fs';

/** The text of a file, without the byte order mark that some editors put before it. */
export const readTextFile = (path: string): string => readFileSync(path, 'utf8').replace(/^\uFEFF/, '');

/** Whether this user may use a file or a folder in this way, such as `constants.W_OK`. */
export function mayUse(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
