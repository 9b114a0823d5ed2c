/** The steps of which a plan consists. */
import type { Procedure } from '../common/work.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Values } from '../model/change.js';
import type { Problem } from '../model/errors/problem.js';
import type { Resource } from '../model/resource.js';
import type { Condition } from '../query/condition.js';
import type { RuledAction } from '../query/rights.js';

/** One statement, or as many as its values need. */
export type Step = Insert | Update | Remove | Shift | RaiseVersion | LockParent | ForgetParent;

/** A new row, by its columns. */
export type InsertedRow = Values & { id: string };

/** The path of a row, or of an item of a list, in the input. */
export type PathOf = (place: number) => (string | number)[];

/** New rows of one record type; all have the same columns. */
export interface Insert {
  kind: 'insert';
  resource: Resource;
  rows: readonly InsertedRow[];
  /**
   * The column of the parent's id, if there is only one row: its `idx` is then at most one more than the number of its
   * siblings.
   */
  behind?: string;
  /**
   * The versions of documents that bring their own with them, by id. Then the rows have a column `version`, and their
   * entries in the journal the time of the plan and not that of the records.
   */
  versions?: ReadonlyMap<string, number>;
  /** The input path of a row, for problems. */
  at?: PathOf;
}

export interface RowUpdate {
  id: string;
  /** The fields to set; all others stay unchanged. */
  values: Values;
  /** The version the row must have. */
  version?: number | null | undefined;
  /** The states the row may have, two at most. */
  statuses?: readonly string[] | undefined;
  /** What it gets in place of the next version and the time of the change; of a single row only. */
  becomes?: Becomes | undefined;
}

/**
 * What a document keeps unless it is a draft: `fields` all of them but its status, `whole` everything, because its lines
 * change or it would be deleted.
 */
export type Locked = 'fields' | 'whole';

/** What the rights of the caller ask of each row. */
export interface AllowedRows {
  /** Which rows there are for the caller. */
  seen: Condition;
  /** What a row has to fulfil as it is and as it becomes; it includes `seen`. */
  rule: Condition;
  /** What the rule is about, for the refusal. */
  actions: readonly RuledAction[];
}

/** The version, times and authors that an imported record brings with it. */
export interface Becomes {
  version: unknown;
  createdAt: Date | undefined;
  updatedAt: Date | undefined;
  createdBy: unknown;
  updatedBy: unknown;
}

/** What a change gives to the documents that it changes: their `updatedAt` and their `updatedBy`. */
export interface Stamp {
  at: Date;
  by: string | null;
}

/** What the state of a document, or the rights of the caller, may forbid. */
export interface Refusable {
  resource: Resource;
  /** The name of the list whose items the rows are; undefined for a single record. */
  items?: string | undefined;
  locked?: Locked | undefined;
  allowed?: AllowedRows | undefined;
}

export interface Update extends Refusable {
  kind: 'update';
  rows: readonly RowUpdate[];
  /**
   * What the caller does: submit and cancel set only `status`; move only `idx`, of lines behind a new one, about which no rule
   * is asked.
   */
  action: 'update' | 'submit' | 'cancel' | 'move';
  /** Raises the version of the only row even if its fields stay the same, because its lines change. */
  raises?: boolean;
  /** The path of a row's values in the input, for problems of rules. */
  at?: PathOf;
}

/** The update that only raises a document's version, because its lines change. */
export const raising = (
  resource: Resource,
  { id, version }: Pick<RowUpdate, 'id' | 'version'>,
  { locked, allowed }: Pick<RaiseVersion, 'locked' | 'allowed'>,
): Update => ({
  kind: 'update',
  resource,
  rows: [{ id, values: {}, version }],
  action: 'update',
  locked,
  allowed,
  raises: true,
});

export type RowRemoval = Pick<RowUpdate, 'id' | 'version'>;

export interface Remove extends Refusable {
  kind: 'remove';
  /** Only a single row may have a version. */
  rows: readonly RowRemoval[];
}

export interface Shift {
  kind: 'shift';
  resource: Resource;
  parentId: string;
  /** The first and last position; without `to`, all from the first on. */
  from: number;
  to?: number;
  by: 1 | -1;
}

export interface ParentState {
  id: string;
  /** Undefined for a parent that is not stored here. */
  resource: Resource | undefined;
  /** 0 for a foreign parent without a row. */
  version: number;
}

export interface RaiseVersion {
  kind: 'raise';
  /** Without an id it is the document of the only line that the plan changes: neither has been read. */
  id: string | undefined;
  /** Undefined for a parent that is not stored here. */
  resource: Resource | undefined;
  /** The version at which the parent's lines were read; undefined if any version will do. */
  version?: number | null | undefined;
  /** Whether the parent keeps its lines unless it is a draft. */
  locked?: Locked | undefined;
  allowed?: AllowedRows | undefined;
}

/** A parent without which the line cannot be created. */
export interface RequiredParent {
  line: Resource;
  id: string;
  /** The input path of the id, for the problem that names it. */
  path: Problem['path'];
}

/**
 * Keeps the lines as they were read until the answer is read, where nothing is to be written. Without it another
 * transaction could change or delete them in between.
 */
export interface LockParent extends ParentState {
  kind: 'lock';
  allowed?: AllowedRows | undefined;
}

/**
 * Deletes the row of a foreign parent together with its last line. It stays while there are lines of another type:
 * created again with version 1, it could have the version at which somebody has read those lines before.
 */
export interface ForgetParent {
  kind: 'forget';
  /** The type of that line. */
  line: Resource;
  id: string;
}

/** What a mutation writes, in order. */
export interface Plan {
  steps: readonly Step[];
  /** Known problems of the input: nothing is then written, and they are reported together with those of the rules. */
  problems?: readonly Problem[];
  /**
   * The problems that the input rules have found in the whole input; undefined if these rules still have to be asked.
   */
  inputProblems?: readonly Problem[];
  /** The parent that the new line must have; it is looked for before rules that look at records are asked. */
  requires?: RequiredParent | undefined;
  /** Whether the caller passed a list of records, so that problems refer to its items. */
  isList?: boolean;
  /** Called if there are no problems, before anything is written; an error it throws is the answer. */
  admit?: (() => void) | undefined;
}

/**
 * Asked about each plan before it is applied, in its transaction. What it returns is done after the plan; undefined if nothing is
 * to be written.
 */
export type PlanWriter = (provider: Provider, plan: Plan) => Procedure<(() => Procedure<void>) | undefined>;
