import { chmodSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';

const isRoot = process.getuid?.() === 0;

/**
 * The beginning of a command that runs the rest without the rights of root to read and write every file. Empty for
 * other users, who have no such rights.
 */
export const asOrdinaryUser: readonly string[] = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** The user `nobody`, to whom root can give files. */
export const nobody = 65_534;

/** The beginning of a command that runs the rest as `nobody`; as this user, if that is not root. */
export const asNobody: readonly string[] = isRoot
  ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  : [];

/** Lets everybody reach what is in `folder`, however deep it is in folders of root. */
export function openToNobody(folder: string): void {
  if (!isRoot) return;
  for (let above = folder; above !== '/'; above = dirname(above)) chmodSync(above, lstatSync(above).mode | 0o055);
}
