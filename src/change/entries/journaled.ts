/** What the entries of one plan have in common. */

import type { Rows } from '../../common/work.js';
import type { Author } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { Step } from '../plan.js';
import type { StatementBuilder } from '../statements/statement-builder.js';
import type { Becomes, Locked } from '../statements/update.js';

/** The document whose lines a plan changes. */
export interface LineDocument {
  /** Undefined where the statement that changes the line finds its document. */
  id: string | undefined;
  /** Undefined for a document that is not stored here. */
  resource: Resource | undefined;
  /** The version at which its lines were read. */
  version: number | null | undefined;
  /** Whether its lines are locked unless it is a draft. */
  locked?: Locked | undefined;
  /** What it gets in place of the next version; its entries have the time of the plan then. */
  becomes?: Becomes | undefined;
}

export interface Journaled {
  by: Author;
  at: Date;
  /** The document of all lines in the plan, except where the plan creates or deletes whole documents. */
  document: LineDocument | undefined;
  /** The times of the documents that the plan has created so far, by id, for the entries of their lines. */
  createdAt: Map<string, Date>;
  /** How many rows the plan writes, as far as is known before. */
  rows: number;
  /** PostgreSQL: the document's version and time of the change, once they are known. */
  raised?: { revision: number; at: string | undefined } | undefined;
  /** PostgreSQL: the named query that raises the document, if the same statement does. */
  raisedBy?: string;
}

/** The document whose version the first step raises. */
export function documentOf([first]: readonly Step[]): LineDocument | undefined {
  if (first?.kind === 'raise') return { ...first.parent, version: first.version, locked: first.locked };
  const [row] = first?.kind === 'update' && first.raises ? first.rows : [];
  if (first?.kind !== 'update' || !row) return undefined;
  return { id: row.id, resource: first.resource, version: row.version, locked: row.locked, becomes: row.becomes };
}

/** What entries of lines have in common on PostgreSQL, where the document has been raised before. */
export function lineSource(text: StatementBuilder, { document, raised, raisedBy, at }: Journaled) {
  const isTimed = raisedBy !== undefined && document?.resource?.timestamps;
  return {
    at: () => (isTimed ? `(SELECT "updatedAt" FROM ${raisedBy})` : text.typed(raised?.at ?? at, 'timestamp(3)')),
    revision: () =>
      raisedBy === undefined ? text.typed(raised?.revision ?? null, 'integer') : `(SELECT "version" FROM ${raisedBy})`,
    documentModel: document?.resource?.model,
    documentId: () =>
      document && document.id === undefined && raisedBy !== undefined
        ? `(SELECT "id" FROM ${raisedBy})`
        : text.typed(document?.id ?? null, 'text'),
  };
}

/** What a step that raises the document has returned; undefined for another step. */
export function raisedBy(step: Step, [row]: Rows): Journaled['raised'] {
  const isRaised = step.kind === 'raise' || (step.kind === 'update' && step.raises);
  if (!isRaised || !row) return undefined;
  const isBrought = step.kind === 'update' && step.rows[0]?.becomes !== undefined;
  return { revision: Number(row[1]), at: isBrought || row[2] === undefined ? undefined : String(row[2]) };
}
