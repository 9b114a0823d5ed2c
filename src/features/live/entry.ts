/** What streams keep of an entry of the journal: little, because the latest entries stay in memory. */
import type { JournalEntry } from '../../change/journal/journal.js';

export interface Entry extends Pick<JournalEntry, 'position' | 'action' | 'resource' | 'id' | 'document' | 'version'> {
  /** The version of the document after the change. */
  revision: number;
  /** Equal for entries of one transaction and document. */
  commit: string;
  /** The changed fields. */
  fields: readonly string[];
  /** The short values that they had before. */
  before: ReadonlyMap<string, string | number | boolean | null>;
}

/** The entries behind a position; none is missing up to the position `end`. */
export interface Entries {
  entries: readonly Entry[];
  end: number;
}

export function streamEntryOf({ changes, ...entry }: JournalEntry): Entry {
  const { position, action, resource, id, document, version, revision } = entry;
  // Of secrets the journal shows only that they have changed.
  const secrets = new Set(resource.fields.flatMap(({ name, secret }) => (secret ? [name] : [])));
  return {
    ...{ position, action, resource, id, document, version, revision },
    commit: `${document.id} ${revision}`,
    fields: changes.map(({ field }) => field),
    before: new Map(
      changes.flatMap(({ field, before }) =>
        isShort(before) && !secrets.has(field) ? [[field, before] as const] : [],
      ),
    ),
  };
}

/** Characters up to which a text is kept. */
const longestKept = 100;

function isShort(value: unknown): value is string | number | boolean | null {
  if (typeof value === 'string') return value.length <= longestKept;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

/** Where the entries of the last transaction and document begin. */
export function lastCommitIn(entries: readonly Entry[]): number {
  const commit = entries.at(-1)?.commit;
  return entries.findLastIndex((entry) => entry.commit !== commit) + 1;
}
