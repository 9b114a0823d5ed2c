import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Takes away everybody's right to write a folder and what it holds, except the folders `left` in it. */
export function makeReadOnly(folder: string, left: readonly string[] = []): void {
  for (const path of [folder, ...pathsIn(folder)]) {
    if (!left.some((each) => path === each || path.startsWith(`${each}/`))) permit(path, 0o444);
  }
}

/** So that it can be removed by its owner. */
export function makeWritable(folder: string): void {
  for (const path of [folder, ...pathsIn(folder)]) permit(path, 0o644);
}

function permit(path: string, mode: number): void {
  const status = lstatSync(path);
  // Who may read a folder may also enter it; links have no rights of their own.
  if (!status.isSymbolicLink()) chmodSync(path, status.isDirectory() || status.mode & 0o100 ? mode | 0o111 : mode);
}

const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
