/** Reads the records of a step as they are before it, for rules and observers. */

import type { Procedure } from '../common/work.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Resource } from '../model/resource.js';
import { readStored, type StoredRecord } from './statements/stored-record.js';
import type { Update } from './statements/update.js';
import type { Remove, Step } from './step.js';

/** The records of a step before it, by id, with the lines that would be deleted with them. */
export interface Before {
  records: ReadonlyMap<string, StoredRecord>;
  lines: readonly { resource: Resource; lines: readonly StoredRecord[] }[];
}

/** The records read for rules and observers; steps that neither rules nor observers need are missing. */
export type Befores = ReadonlyMap<Step, Before>;

/** Lines need no lock: the plan first raises their parent's version, which detects concurrent changes. */
export function* readBefore(provider: Provider, step: Update | Remove): Procedure<Before> {
  const { resource, rows } = step;
  const ids = rows.map(({ id }) => id);
  const found = yield* whole(provider, resource, ids, resource.kind !== 'child');
  const lines: { resource: Resource; lines: StoredRecord[] }[] = [];
  if (step.kind === 'remove') {
    for (const { resource: child, reference } of resource.lines) {
      const reading = { by: reference, among: ids, names: [], isLocked: false };
      const there = (yield* readStored(provider, child, reading)).map(({ id }) => id);
      lines.push({ resource: child, lines: yield* whole(provider, child, there, false) });
    }
  }
  return { records: new Map(found.map((each) => [each.id, each])), lines };
}

/** Records read by one statement: a result larger than an answer may be is refused, so many are read in parts. */
const mostAtOnce = 250;

/** Records with all their fields. They are locked in the order of their ids, as everybody locks several. */
function* whole(
  provider: Provider,
  resource: Resource,
  ids: readonly string[],
  isLocked: boolean,
): Procedure<StoredRecord[]> {
  const names = resource.fields.map(({ name }) => name);
  const ordered = ids.length > mostAtOnce ? ids.toSorted() : ids;
  const found: StoredRecord[] = [];
  for (let start = 0; start < ordered.length; start += mostAtOnce) {
    const among = ordered.slice(start, start + mostAtOnce);
    for (const each of yield* readStored(provider, resource, { by: 'id', among, names, isLocked })) found.push(each);
  }
  return found;
}
