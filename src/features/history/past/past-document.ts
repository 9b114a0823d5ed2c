/** A document with its lines as it was at some instant. */
import type { Resource } from '../../../model/resource.js';
import type { SelectedRecord } from '../../../query/delegate.js';
import type { Effort } from './effort.js';

/** Names the document that a record of the past belongs to. */
const past = Symbol('the document as it was');

/** A record or line as it was, with all of its columns but the gateway's own links. */
export type PastRecord = SelectedRecord & { [past]: PastDocument };

export interface PastDocument {
  resource: Resource;
  record: PastRecord;
  /** What the request may still compute on its lines. */
  effort: Effort;
  /** The lines of a list in their order; of a list that was not asked for, none. */
  linesOf(line: Resource): readonly PastRecord[];
}

/** The document to which a record of the past belongs; undefined for a record as it is now. */
export const pastOf = (record: object): PastDocument | undefined => (isPast(record) ? record[past] : undefined);

/** Whether a source of GraphQL is a record of the past. */
export const isPast = (source: unknown): source is PastRecord =>
  typeof source === 'object' && source !== null && past in source;

/** `lines` holds the lines of each type. */
export function pastDocument(
  resource: Resource,
  row: SelectedRecord,
  lines: ReadonlyMap<Resource, Iterable<SelectedRecord>>,
  effort: Effort,
): PastDocument {
  const ordered = new Map<Resource, PastRecord[]>();
  const document: PastDocument = {
    resource,
    effort,
    // Filled in at once, because each record names the document and the document names each record.
    get record() {
      return record;
    },
    linesOf: (line) => ordered.get(line) ?? [],
  };
  const record: PastRecord = { ...row, [past]: document };
  for (const [line, rows] of lines) {
    const found = Array.from(rows, (each): PastRecord => ({ ...each, [past]: document }));
    ordered.set(
      line,
      found.sort((one, other) => Number(one.idx) - Number(other.idx)),
    );
  }
  return document;
}
