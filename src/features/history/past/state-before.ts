/** Takes a document back from one version to an earlier one, by the entries that the journal has of the versions between. */
import type { StoredEntry } from '../../../change/journal/stored-entry.js';
import type { Resource } from '../../../model/resource.js';
import type { SelectedRecord } from '../../../query/delegate.js';
import { type DocumentState, rowOf } from './present.js';

/**
 * The state before the given entries, of which the newest comes first. It goes back no further than to a gap between
 * the entries, or to the state with which the document was created. A deleted document can be taken back only by the
 * entries of its deletion.
 */
export function stateBefore(
  resource: Resource,
  present: DocumentState,
  entries: readonly StoredEntry[],
): DocumentState {
  const state: DocumentState = { record: present.record, lines: present.lines };
  for (const revision of byRevision(entries)) {
    const { own } = revision;
    // The gateway writes one entry of the document itself for each of its versions, so a gap shows.
    const follows = own && (state.record ? state.record.version === revision.number : own.action === 'delete');
    // The time of creation is that of the record itself: an imported record brought its own, and the entry has the time
    // of the import.
    if (!follows || own.action === 'create') break;
    for (const entry of revision.entries) {
      if (entry === own) continue;
      const lines = state.lines.get(entry.resource);
      if (lines) undoLine(lines, entry);
    }
    state.record = recordBefore(resource, state.record, own);
  }
  return state;
}

interface RevisionEntries {
  number: number;
  /** The entry of the document itself. */
  own: StoredEntry | undefined;
  entries: StoredEntry[];
}

function byRevision(entries: readonly StoredEntry[]): RevisionEntries[] {
  const found: RevisionEntries[] = [];
  for (const entry of entries) {
    if (found.at(-1)?.number !== entry.revision) found.push({ number: entry.revision, own: undefined, entries: [] });
    const last = found.at(-1);
    if (last && entry.id === entry.document.id) last.own = entry;
    last?.entries.push(entry);
  }
  return found;
}

function recordBefore(
  resource: Resource,
  present: SelectedRecord | undefined,
  { id, action, revision, version, changes, times }: StoredEntry,
): SelectedRecord {
  const before = Object.fromEntries(changes.map((change) => [change.field, change.before]));
  if (action === 'delete' || !present) return rowOf(resource, id, version, { ...before, ...times });
  return { ...present, ...before, ...times, version: revision - 1 };
}

function undoLine(lines: Map<string, SelectedRecord>, { id, resource, action, version, changes }: StoredEntry): void {
  if (action === 'create') return void lines.delete(id);
  const before = Object.fromEntries(changes.map((change) => [change.field, change.before]));
  const present = lines.get(id);
  if (action === 'delete') lines.set(id, rowOf(resource, id, version, before));
  else if (present) lines.set(id, { ...present, ...before, version: version - 1 });
}
