/** What a write does to one record, and who may look at it: rules before anything is written, observers behind it. */
import type { Problem } from '../errors.js';
import type { Work } from '../work.js';
import type { Resource } from './resource.js';

/** The fields of a record, by name. */
export type Values = Record<string, unknown>;

/** `move` changes nothing of a line but its place. */
export type ChangeAction = 'create' | 'update' | 'submit' | 'cancel' | 'delete' | 'move';

/** Who changes something. */
export interface Author {
  keyId: string;
  keyName: string;
  requestId: string;
}

/** What becomes of one record. */
export interface Change {
  resource: Resource;
  id: string;
  action: ChangeAction;
  /** The fields as they were: all of them, but of a line that only moves its `idx` alone. Undefined of a new record. */
  before: Values | undefined;
  /** The same fields as they are now; undefined of a record that is gone. */
  after: Values | undefined;
  /** The version it has now; of a record that is gone, the last it had. */
  version: number;
  /** The id of the record it belongs to: of a line its parent's, else its own. */
  documentId: string;
  by: Author;
  at: Date;
}

/**
 * Is told the changes of a transaction, once they are made and before they are committed. What it writes, with `yield*
 * rows(sql, values)`, is committed with them; what it throws undoes them. It may be called again where the database repeats
 * the transaction.
 */
export type Observer = (changes: readonly Change[]) => Work<void>;

/** What a rule is asked about. */
export interface Proposal {
  resource: Resource;
  /** The fields that are given a value, as they are to be stored; none where a record is deleted. */
  values: Values;
}

/** A proposal with the whole record, which the database holds still until the change is made. */
export interface RecordProposal extends Proposal {
  /** Undefined of a new record. */
  before: Values | undefined;
  /** Undefined of a record that is to be deleted. */
  after: Values | undefined;
}

/** Returns what speaks against a change: then nothing is written. The paths begin with the name of a field. */
export interface Rule {
  /** Looks at the new values alone, which costs nothing. */
  ofValues?(proposal: Proposal): Problem[];
  /** Looks at the record as it is and as it would be. It is read for that. */
  ofRecord?(proposal: RecordProposal): Problem[];
}

/** The rules of one record type. An update that sets `status` to submitted or cancelled is a submit or a cancel too. */
export interface Rules {
  beforeCreate?: Rule;
  beforeUpdate?: Rule;
  beforeSubmit?: Rule;
  beforeCancel?: Rule;
  /** Asked also where a line goes with its parent. */
  beforeDelete?: Rule;
}

/** Who looks at the changes of a gateway. */
export interface ChangeHandlers {
  /** By record type. */
  rules: Readonly<Partial<Record<string, Rules>>>;
  observers: readonly Observer[];
}
