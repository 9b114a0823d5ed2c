/** Creates, changes or deletes records that are not lines. */
import type { Procedure, Rows } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import { type Action, openStatuses, transitions } from '../../model/lifecycle.js';
import type { Lines, Resource } from '../../model/resource.js';
import { applyPlan, requireFewRows } from '../apply-plan.js';
import type { ChangeContext } from '../context.js';
import type { Insert, InsertedRow, PathOf, RowRemoval } from '../plan.js';
import { repetitions } from '../refusals.js';
import type { AnswerSql } from '../statements/single-statement.js';
import { namedAuthor, newRow, ownershipOf, valuesOf } from '../values.js';

export interface WrittenRecords {
  ids: readonly string[];
  /** The answer's rows in any order, if the writing statement has returned them. */
  answer?: Rows | undefined;
}

/** How written records are answered. */
export interface Answering {
  folded?: AnswerSql | undefined;
  /** Called with the rows of new records before anything is written; an error it throws is the answer. */
  admit?(inserts: readonly Insert[]): void;
}

/**
 * Creates records, each with its lines, all or nothing; if `isList`, problems refer to the items of the caller's list.
 * Returns their ids in the order of the inputs. The inserts of the records come first, because the lines refer to them.
 * @throws QUERY_TOO_COMPLEX
 */
export function* createRecords(
  writing: ChangeContext,
  resource: Resource,
  inputs: readonly Values[],
  { isList, folded, admit }: Answering & { isList: boolean },
): Procedure<WrittenRecords> {
  if (inputs.length === 0) return { ids: [] };
  requireFewRows(resource, inputs);
  const author = namedAuthor(writing.by);
  const authors = { createdBy: author, updatedBy: author };
  const rows = inputs.map((input) => newRow(resource, input, authors));
  const at: PathOf = (record) => (isList ? ['inputs', record] : ['input']);
  const lists = resource.lines.map((lines) => linesOf(resource, lines, inputs, rows, at));
  const steps: Insert[] = [{ kind: 'insert', resource, rows, at }, ...lists.filter((list) => list.rows.length > 0)];
  const applied = yield* applyPlan(writing, { steps, isList, admit: () => admit?.(steps) }, folded);
  return { ids: rows.map(({ id }) => id), answer: applied?.answer };
}

function linesOf(
  parent: Resource,
  { resource, field, reference }: Lines,
  inputs: readonly Values[],
  parents: readonly { id: string }[],
  at: PathOf,
): Insert {
  const rows: InsertedRow[] = [];
  for (const [record, { id }] of parents.entries()) {
    const list = inputs[record]?.[field];
    if (!Array.isArray(list)) continue;
    const owned = ownershipOf(parent, resource, id);
    for (const [line, values] of list.entries()) rows.push(newRow(resource, values, { idx: line + 1, ...owned }));
  }
  const pathOf = (place: number) => {
    const row = rows[place];
    return [...at(parents.findIndex(({ id }) => id === row?.[reference])), field, Number(row?.idx) - 1];
  };
  return { kind: 'insert', resource, rows, at: pathOf };
}

/** What to change of one record. */
export interface RecordUpdate {
  id: string;
  input: Values;
  /** The version that the caller has read. */
  expectedVersion?: number | null | undefined;
}

/**
 * Changes the fields in the inputs and no others, all or nothing. Setting `status` acts as submit or cancel. Returns
 * the ids in the order of the updates. @throws NOT_FOUND, INVALID_STATE, VERSION_CONFLICT, BAD_USER_INPUT; for a list
 * with the problem of every refused update
 */
export function* updateRecords(
  writing: ChangeContext,
  resource: Resource,
  updates: readonly RecordUpdate[],
  { isList, folded }: Pick<Answering, 'folded'> & { isList: boolean },
): Procedure<WrittenRecords> {
  const rows = updates.map(({ id, input, expectedVersion }) => {
    const values = valuesOf(resource, input);
    return { id, values, version: expectedVersion, statuses: openStatuses(resource, values) };
  });
  const ids = rows.map(({ id }) => id);
  const problems = repetitions(ids, (index) => ['updates', index, 'id']);
  const at = (row: number) => (isList ? ['updates', row, 'input'] : ['input']);
  const items = isList ? 'updates' : undefined;
  const steps = [{ kind: 'update', resource, rows, action: 'update', items, at } as const];
  const applied = yield* applyPlan(writing, { steps, problems, isList }, folded);
  return { ids, answer: applied?.answer };
}

/** Submits or cancels. @throws NOT_FOUND, INVALID_STATE, VERSION_CONFLICT */
export function* moveRecord(
  writing: ChangeContext,
  resource: Resource,
  { id, action, expectedVersion }: Omit<RecordUpdate, 'input'> & { action: Action },
  folded?: AnswerSql,
): Procedure<WrittenRecords> {
  const { from, to } = transitions[action];
  const row = { id, values: { status: to }, version: expectedVersion, statuses: [from] };
  const applied = yield* applyPlan(writing, { steps: [{ kind: 'update', resource, rows: [row], action }] }, folded);
  return { ids: [id], answer: applied?.answer };
}

/** Deletes records and their lines permanently. @throws NOT_FOUND, VERSION_CONFLICT; for a list BAD_USER_INPUT with every unknown id */
export function* removeRecords(
  writing: ChangeContext,
  resource: Resource,
  rows: readonly RowRemoval[],
  isList: boolean,
): Procedure<WrittenRecords> {
  const ids = rows.map(({ id }) => id);
  const problems = repetitions(ids, (index) => ['ids', index]);
  const items = isList ? 'ids' : undefined;
  if (ids.length > 0)
    yield* applyPlan(writing, { steps: [{ kind: 'remove', resource, rows, items }], problems, isList });
  return { ids };
}
