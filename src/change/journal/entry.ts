import type { ChangeAction } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';

/** One committed change of one record. */
export interface JournalEntry {
  /** Ascending in the order in which readers may see the entries; never used again. */
  position: number;
  /** When the document was changed, as in its `updatedAt`. */
  at: Date;
  action: ChangeAction;
  resource: Resource;
  id: string;
  /** The record itself, or the parent of a line; without a resource if that is not stored here. */
  document: { resource: Resource | undefined; id: string };
  /** The version of the document after the change; of a deleted document one more than its last. */
  revision: number;
  /** The version of the record after the change; of a deleted record its last. */
  version: number;
  author: { keyId: string; keyName: string; requestId: string; operation: string | undefined };
  changes: readonly FieldChange[];
}

export interface FieldChange {
  /** The name of the field in GraphQL. */
  field: string;
  /** Null if it had none, or if the record is new. */
  before: unknown;
  after: unknown;
}
