/** Creates, changes or deletes one record that is not a line. */
import type { Procedure, Rows } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import { type Action, openStatuses, transitions } from '../../model/lifecycle.js';
import type { Lines, Resource } from '../../model/resource.js';
import { applyPlan, requireFewRows } from '../apply-plan.js';
import type { ChangeContext } from '../context.js';
import type { Insert } from '../plan.js';
import { repetitions } from '../refusals.js';
import type { AnswerSql } from '../statements/single-statement.js';
import { newLine, newRow, ownershipOf, valuesOf } from '../values.js';

export interface WrittenRecord {
  id: string;
  /** The answer's row, if the writing statement has returned it. */
  answer?: Rows | undefined;
}

/** How new records are answered. */
export interface Answering {
  folded?: AnswerSql | undefined;
  /** Called with the rows before anything is written; an error it throws is the answer. */
  admit?(inserts: readonly Insert[]): void;
}

/** Creates a record with its lines, all or nothing. */
export function* createRecord(
  writing: ChangeContext,
  resource: Resource,
  input: Values,
  answering?: Answering,
): Procedure<WrittenRecord> {
  const steps = insertsOf(resource, [input], () => ['input']);
  const { ids, answer } = yield* create(writing, steps, false, answering);
  return { id: ids[0] ?? '', answer };
}

/** Creates records, each with its lines. Returns their ids in the order of the inputs. */
export function* createRecords(
  writing: ChangeContext,
  resource: Resource,
  inputs: readonly Values[],
  answering?: Answering,
): Procedure<WrittenRecords> {
  if (inputs.length === 0) return { ids: [] };
  const steps = insertsOf(resource, inputs, (record) => ['inputs', record]);
  return yield* create(writing, steps, true, answering);
}

function* create(
  writing: ChangeContext,
  steps: [Insert, ...Insert[]],
  isList: boolean,
  { folded, admit }: Answering = {},
): Procedure<WrittenRecords> {
  const applied = yield* applyPlan(writing, { steps, isList, admit: () => admit?.(steps) }, folded);
  return { ids: steps[0].rows.map(({ id }) => id), answer: applied?.answer };
}

/**
 * The inserts of new records and their lines; the records come first, because the lines refer to them. @throws
 * QUERY_TOO_COMPLEX
 */
function insertsOf(
  resource: Resource,
  inputs: readonly Values[],
  at: (record: number) => (string | number)[],
): [Insert, ...Insert[]] {
  requireFewRows(resource, inputs);
  const rows = inputs.map((input) => newRow(resource, input));
  const lists = resource.lines.map((lines) => linesOf(resource, lines, inputs, rows, at));
  return [{ kind: 'insert', resource, rows, at }, ...lists.filter((list) => list.rows.length > 0)];
}

function linesOf(
  parent: Resource,
  { resource, field }: Lines,
  inputs: readonly Values[],
  parents: readonly { id: string }[],
  at: (record: number) => (string | number)[],
): Insert {
  const places: [record: number, line: number][] = [];
  const rows: Insert['rows'][number][] = [];
  for (const [record, { id }] of parents.entries()) {
    for (const [line, row] of newLines(parent, resource, id, inputs[record]?.[field]).entries()) {
      places.push([record, line]);
      rows.push(row);
    }
  }
  const pathOf = (row: number) => {
    const [record = 0, line = 0] = places[row] ?? [];
    return [...at(record), field, line];
  };
  return { kind: 'insert', resource, rows, at: pathOf };
}

/**
 * Changes the fields in the input and no others. Setting `status` acts as submit or cancel. @throws NOT_FOUND,
 * INVALID_STATE, VERSION_CONFLICT, BAD_USER_INPUT
 */
export function* updateRecord(
  writing: ChangeContext,
  resource: Resource,
  { id, input, version }: { id: string; input: Values; version?: number | null | undefined },
  folded?: AnswerSql,
): Procedure<WrittenRecord> {
  const values = valuesOf(resource, input);
  const row = { id, values, version, statuses: openStatuses(resource, values) };
  const steps = [{ kind: 'update', resource, rows: [row], action: 'update', at: () => ['input'] } as const];
  return { id, ...(yield* applyPlan(writing, { steps }, folded)) };
}

/** Submits or cancels. @throws NOT_FOUND, INVALID_STATE, VERSION_CONFLICT */
export function* moveRecord(
  writing: ChangeContext,
  resource: Resource,
  { id, action, version }: { id: string; action: Action; version?: number | null | undefined },
  folded?: AnswerSql,
): Procedure<WrittenRecord> {
  const { from, to } = transitions[action];
  const row = { id, values: { status: to }, version, statuses: [from] };
  return { id, ...(yield* applyPlan(writing, { steps: [{ kind: 'update', resource, rows: [row], action }] }, folded)) };
}

/** Deletes a record and its lines permanently. @throws NOT_FOUND, VERSION_CONFLICT */
export function* removeRecord(
  writing: ChangeContext,
  resource: Resource,
  row: { id: string; version?: number | null | undefined },
): Procedure<{ id: string }> {
  yield* applyPlan(writing, { steps: [{ kind: 'remove', resource, rows: [row] }] });
  return { id: row.id };
}

/** Creates, changes or deletes many records of one type, all or nothing. */
export interface RecordUpdate {
  id: string;
  input: Values;
  /** The version that the caller has read. */
  expectedVersion?: number | null | undefined;
}

export interface WrittenRecords {
  ids: readonly string[];
  /** The answer's rows in any order, if the writing statement has returned them. */
  answer?: Rows | undefined;
}

/**
 * Changes records, each in its own way. Returns their ids in the order of the updates. @throws BAD_USER_INPUT,
 * VERSION_CONFLICT or INVALID_STATE with the problem of every refused update
 */
export function* updateRecords(
  writing: ChangeContext,
  resource: Resource,
  updates: readonly RecordUpdate[],
): Procedure<string[]> {
  const rows = updates.map(({ id, input, expectedVersion }) => {
    const values = valuesOf(resource, input);
    return { id, values, version: expectedVersion, statuses: openStatuses(resource, values) };
  });
  const ids = rows.map(({ id }) => id);
  const problems = repetitions(ids, (index) => ['updates', index, 'id']);
  const at = (row: number) => ['updates', row, 'input'];
  const steps = [{ kind: 'update', resource, rows, action: 'update', items: 'updates', at } as const];
  yield* applyPlan(writing, { steps, problems, isList: true });
  return ids;
}

/** Deletes records and their lines permanently. @throws BAD_USER_INPUT with every unknown id */
export function* removeRecords(writing: ChangeContext, resource: Resource, ids: readonly string[]): Procedure<void> {
  const problems = repetitions(ids, (index) => ['ids', index]);
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({ id }));
  yield* applyPlan(writing, { steps: [{ kind: 'remove', resource, rows, items: 'ids' }], problems, isList: true });
}

/** The rows of a parent's new lines, numbered from 1; none without a list. */
function newLines(parent: Resource, child: Resource, parentId: string, lines: unknown): (Values & { id: string })[] {
  if (!Array.isArray(lines)) return [];
  const owned = ownershipOf(parent, child, parentId);
  return lines.map((line: Values, index) => newLine(child, line, owned, index + 1));
}
