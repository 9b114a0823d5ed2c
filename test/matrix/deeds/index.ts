import { ids } from '../../../src/records/ids.js';
import type { Attempt } from '../attempt.js';
import type { Deed, Target } from '../deed.js';
import { changes } from './changes.js';
import { lines } from './lines.js';
import { reads } from './reads.js';

/** All deeds. A new one is one entry, and every guard is tested with it in every way. */
export const deeds: readonly Deed[] = [...reads, ...changes, ...lines];

const byName = new Map(deeds.map((deed) => [deed.name, deed]));

export function deedNamed(name: string): Deed {
  const deed = byName.get(name);
  if (!deed) throw new Error(`There is no deed ${name}`);
  return deed;
}

/** A new target that does not exist yet. */
export function newTarget(marker: string): Target {
  const line = () => ids.next('asset-repair-consumed-item').id;
  return { marker, id: ids.next('asset-repair').id, lines: [line(), line()] };
}

/** The deed as a valid operation. */
export function attemptOf(deed: Deed, target: Target): Attempt {
  const { kind, field, selection } = deed;
  const none = { beside: '', declared: '', definitions: '', parameters: {}, headers: {} };
  return { kind, field, args: deed.args(target), selection, ...none, key: 'everything' };
}
