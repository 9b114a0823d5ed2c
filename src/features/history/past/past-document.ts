/** A document with its lines as it was at some instant. */

import type { RequestContext } from '../../../change/context.js';
import { type EntrySource, rowsOf } from '../../../change/journal/journal-state.js';
import { oncePer } from '../../../common/kept.js';
import { createSerialQueue } from '../../../database/queues.js';
import type { ApiErrors } from '../../../gateway/api.js';
import { invalidRequest, refusal } from '../../../model/errors/error-rows.js';
import { errorTable, GatewayError } from '../../../model/errors/gateway-error.js';
import { mostUndoneBytes } from '../../../model/limits.js';
import type { Parent, Resource } from '../../../model/resource.js';
import type { SelectedRecord } from '../../../query/delegate.js';
import type { DocumentState } from './present.js';

/** Names the document that a record of the past belongs to. */
export const past = Symbol('the document as it was');

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

export function pastDocument(
  resource: Resource,
  row: SelectedRecord,
  lines: DocumentState['lines'],
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
    const found = Array.from(rows.values(), (each): PastRecord => ({ ...each, [past]: document }));
    ordered.set(
      line,
      found.sort((one, other) => Number(one.idx) - Number(other.idx)),
    );
  }
  return document;
}

/** The document of a line, if it is of the type of this parent. */
export function pastParentOf({ resource }: Parent, line: PastRecord): PastRecord | undefined {
  const document = line[past];
  return document.resource === resource ? document.record : undefined;
}

/** The id of a record that is read as it was; `src/model/ids.ts` reads such ids. */
export const pastIdOf = (row: PastRecord): string => `${row.id}@${row[past].record.version}`;

/**
 * The document of a line, or the one that it was deleted from, alone or with the document. Undefined if the journal no longer
 * has the deletion, or if the parent is not stored here.
 */
export async function documentOfLine(
  database: EntrySource,
  { model, parents }: Resource,
  id: string,
): Promise<{ resource: Resource; id: string } | undefined> {
  const present = parents.map(
    ({ resource, reference }) => `SELECT '${resource.model}', "${reference}" FROM "${model}" WHERE "id" = ?`,
  );
  // These conditions are those of the index `gateway_journal_removed_line`.
  const removed = `SELECT "documentModel", "documentId" FROM "JournalEntry"
    WHERE "recordId" = ? AND "action" = 'delete' AND "recordId" <> "documentId" ORDER BY "entry" DESC LIMIT 1`;
  const sql = [...present, `SELECT * FROM (${removed}) AS "removed"`].join(' UNION ALL ');
  const values = [...present.map(() => id), id];
  for (const [type, document] of await rowsOf(database, sql, values)) {
    const parent = parents.find(({ resource }) => resource.model === type);
    if (parent && typeof document === 'string') return { resource: parent.resource, id: document };
  }
  return undefined;
}

// How much one request may undo, and compute on lines of the past. They are compared in this process, where no deadline
// could stop the work.

/** Comparisons of values; going through ten lines counts as one. So many take about half a second. */
export const mostComparisons = 1_000_000;

export class Effort {
  #left = mostComparisons;
  /** Bytes of values that may still be undone, for all records of the request. */
  bytesLeft = mostUndoneBytes;
  /** Reads entries of the journal one record after the other, so that each knows what is left and what is held. */
  readonly inTurn = createSerialQueue();

  /** The documents that several of its states are of: those of lines. */
  readonly documents = new Map<string, Promise<PastDocument | null>>();

  /** `refuse` refuses the request as a whole: otherwise each list that could not be computed is an error of its own. */
  constructor(private readonly refuse: (error: Error) => Error) {}

  /** @throws QUERY_TOO_COMPLEX */
  spend(comparisons: number): void {
    this.#left -= comparisons;
    if (this.#left < 0) throw this.refuse(tooManyComparisons(mostComparisons));
  }

  /** Counts a comparison with a value; that of a long text takes as long as many others. */
  compare(value: unknown): void {
    this.spend(typeof value === 'string' ? 1 + value.length / 100 : 1);
  }
}

/** That of a request. */
export const effortOf = oncePer(({ meter }: RequestContext) => new Effort((error) => meter?.refuse(error) ?? error));

// Why a record cannot be shown as it was.

const rows = errorTable({
  history_incomplete: {
    ...invalidRequest,
    code: 'HISTORY_INCOMPLETE',
    status: 410,
    details: { knownFrom: 'text' },
  },
});

/**
 * The journal does not have every change of a record since an instant or a version. `knownFrom` is the earliest instant at which the
 * record is known; undefined if there is none.
 */
export const historyIncomplete = (title: string, at: Date | number, knownFrom?: Date): GatewayError =>
  new GatewayError(
    'history_incomplete',
    rows.history_incomplete,
    `It is not known what this ${title} was ${typeof at === 'number' ? `in version ${at}` : `at ${at.toISOString()}`}: changes that were made since then are no longer kept, or were made while the journal was turned off. ${knownFrom ? `Ask for ${knownFrom.toISOString()} or later.` : 'No earlier instant is known either.'}`,
    knownFrom && { knownFrom: knownFrom.toISOString() },
  );

/** A record as it was cannot be found, because more was changed since then than is undone for one answer. */
export const tooManyChanges = (limit: number, bytes: number): GatewayError =>
  refusal(
    'query_too_complex',
    `More was changed since then than is undone for one answer: ${limit} changes of the record and its lines, or ${bytes} bytes of values. Ask for a later instant, or for fewer lists of lines.`,
    { measure: 'changes', limit },
  );

/** Conditions and orders of lines of the past take more comparisons than one request may make. */
const tooManyComparisons = (limit: number): GatewayError =>
  refusal(
    'query_too_complex',
    `The conditions and orders of lines as they were take more than ${limit} comparisons. Ask with fewer of them, or of fewer records.`,
    { measure: 'comparisons', limit },
  );

export const historyErrors: ApiErrors = {
  after: 'not_acceptable',
  rows,
  example: historyIncomplete('Asset Repair', new Date('2025-01-31T09:30:00Z'), new Date('2025-06-01T00:00:00Z')),
};
