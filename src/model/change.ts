/** The change of a record, as rules see it before it is written and observers see it after. */

import type { Procedure } from '../common/work.js';
import type { Problem } from './errors/problem.js';
import type { Resource } from './resource.js';

/** The fields of a record, by name. */
export type Values = Record<string, unknown>;

/** `move` changes only the position of a line. */
export const changeActions = ['create', 'update', 'submit', 'cancel', 'delete', 'move'] as const;
export type ChangeAction = (typeof changeActions)[number];

export interface Author {
  keyId: string;
  keyName: string;
  requestId: string;
  /** The name of the GraphQL operation, if it has one. */
  operation?: string | undefined;
}

export interface Change {
  resource: Resource;
  id: string;
  action: ChangeAction;
  /** The fields before the change: all of them, but only `idx` for a move. Undefined for a new record. */
  before: Values | undefined;
  /** The same fields after the change; undefined for a deleted record. */
  after: Values | undefined;
  /** The version after the change; for a deleted record its last version. */
  version: number;
  /** The id of the document: for a line that of its parent, for any other record its own. */
  documentId: string;
  by: Author;
  at: Date;
}

/**
 * Called with the changes of a transaction after they are written and before the commit. Statements it runs by `yield*
 * rows(sql, values)` are committed together with the changes; an error rolls everything back. It is called again if the
 * database repeats the transaction.
 */
export type Observer = (changes: readonly Change[]) => Procedure<void>;

/** Values that a caller has given, before anything is read. */
export interface Proposal {
  resource: Resource;
  /** The fields to be set, with the values to be stored. */
  values: Values;
}

/** A change that would be made, with the whole record, which is locked until the change is made. */
export interface RecordProposal extends Proposal {
  /** The fields that get another value, with that value; of a new record all, of a delete none. */
  values: Values;
  /** Undefined for a new record. */
  before: Values | undefined;
  /** Undefined for a record to be deleted. */
  after: Values | undefined;
}

/**
 * A check before a change. Returns its objections; if there are any, nothing is written. Their paths begin with the
 * name of a field.
 */
export interface Rule {
  /** Checks the given values only, as a part of checking the input: also where the record is missing or has them already. */
  ofValues?(proposal: Proposal): Problem[];
  /**
   * Checks the whole record before and after a change that would be made: it is there, in the expected version and state, and would
   * differ. The record is read for it.
   */
  ofRecord?(proposal: RecordProposal): Problem[];
}

/**
 * The rules of a record type. An update that sets `status` to submitted or cancelled also counts as submit or cancel.
 */
export interface Rules {
  beforeCreate?: Rule;
  beforeUpdate?: Rule;
  beforeSubmit?: Rule;
  beforeCancel?: Rule;
  /** Also called for lines that are deleted together with their parent. */
  beforeDelete?: Pick<Rule, 'ofRecord'>;
}
