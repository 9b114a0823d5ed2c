/**
 * Creates, changes or deletes one line. `idx` runs from 1 without gaps. Every change first raises the parent's version,
 * which serialises the writers of one parent's lines, and then opens or closes the gap it makes, all in one transaction
 * (docs/decisions.md: `idx`).
 */
import type { Procedure, Rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import type { Values } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import { shownId } from '../../model/errors/gateway-error.js';
import { mostProblems } from '../../model/errors/problem.js';
import { largestInt32 } from '../../model/field.js';
import { type Resource, scopeOf } from '../../model/resource.js';
import { type AppliedPlan, applyPlan, unreadPlan } from '../apply-plan.js';
import type { ChangeContext } from '../context.js';
import { allowedFor, isSeen, mayBeChanged, seenAmong } from '../limit-plan.js';
import type { ParentState, RowRemoval, RowUpdate, Step } from '../plan.js';
import {
  decidingColumns,
  foreignParents,
  parentResource,
  refuseRows,
  requiredParent,
  unknownParent,
} from '../refusals.js';
import { problemsOfInput } from '../rules.js';
import type { AnswerSql } from '../statements/single-statement.js';
import { parentOf, storedRecordReader } from '../statements/stored-record.js';
import { differences, newRow, type StoredRecord, valuesOf } from '../values.js';
import type { RecordUpdate, WrittenRecords } from './record.js';

interface WrittenLine extends WrittenRecords {
  parentId: string;
}

/** Creates a line at `idx`, or after the last one. @throws BAD_USER_INPUT for an unknown parent */
export function* createLine(writing: ChangeContext, resource: Resource, input: Values): Procedure<WrittenLine> {
  const scope = scopeOf(resource);
  const parentId = String(input[scope]);
  const given = input.idx == null ? undefined : Number(input.idx);
  const required = requiredParent(resource);
  const requires = required && { line: resource, id: parentId, path: ['input', scope] };
  for (;;) {
    const parent = required ?? (yield* parentOf(writing.provider, resource, parentId, false));
    if (!parent) throw new Error('A parent that need not exist always has a state');
    if (!required && (yield* isHidden(writing, resource, parentId)))
      throw errors.notAllowed(resource.title, ['create']);
    const link = resource.parents.find((candidate) => candidate.resource === parent.resource);
    const place = { idx: given ?? largestInt32 };
    const row = newRow(resource, input, link ? { [link.reference]: parentId, ...place } : place);
    const steps: Step[] = [{ kind: 'raise', id: parentId, resource: parent.resource }];
    if (given !== undefined) steps.push({ kind: 'shift', resource, parentId, from: given, by: 1 });
    steps.push({ kind: 'insert', resource, rows: [row], behind: scope, at: () => ['input'] });
    if (yield* applyPlan(writing, { steps, requires })) return { ids: [row.id], parentId };
    if (required) throw unknownParent(required.resource, parentId, ['input', scope]);
  }
}

/** Changes a line, and moves it if `idx` is given. @throws NOT_FOUND, VERSION_CONFLICT, BAD_USER_INPUT */
export function* updateLine(
  writing: ChangeContext,
  resource: Resource,
  { id, input, expectedVersion: version }: RecordUpdate,
  folded?: AnswerSql,
): Procedure<WrittenRecords> {
  const scope = scopeOf(resource);
  const values = valuesOf(resource, input);
  const given = { kind: 'update', resource, rows: [{ id, values }], action: 'update', at: () => ['input'] } as const;
  const problems = problemsOfInput(writing, given);
  if (problems.length > 0) throw errors.badInput(problems);
  const unread = folded && unreadPlan(writing, { ...given, rows: [{ id, values, version }] });
  const applied = unread && (yield* applyPlan(writing, unread, folded));
  if (applied) return { ids: [id], answer: applied.answer };
  const allowed = writing.limits && allowedFor(writing.limits.rights, resource, ['update']);
  const names = [...new Set([...Object.keys(values), ...decidingColumns(resource, allowed)])];
  return yield* withLockedParent(writing, resource, id, names, function* ({ line, parent, count }) {
    if (values[scope] !== undefined && values[scope] !== parent.id) {
      const message = 'cannot change; delete this line and create it under the other parent';
      throw errors.badInput([{ path: ['input', scope], code: 'parameter_immutable', message }]);
    }
    yield* refuseLine(writing, { resource, rows: [{ id }], allowed }, { id, values, version }, line, parent);
    const from = Number(line.values.idx);
    const to = count === undefined ? from : Math.min(Number(values.idx), count);
    const changed = differences(line.values, { ...values, idx: to });
    if (Object.keys(changed).length === 0) {
      return yield* applyPlan(writing, { steps: [{ kind: 'lock', ...parent }], inputProblems: [] });
    }
    const steps: Step[] = [{ kind: 'raise', ...parent }];
    const between = { kind: 'shift', resource, parentId: parent.id } as const;
    if (to < from) steps.push({ ...between, from: to, to: from - 1, by: 1 });
    if (to > from) steps.push({ ...between, from: from + 1, to, by: -1 });
    steps.push({ kind: 'update', resource, rows: [{ id, values: changed }], action: 'update', at: () => ['input'] });
    return yield* applyPlan(writing, { steps, inputProblems: [] }, folded);
  });
}

/** Deletes a line and closes its gap. @throws NOT_FOUND, VERSION_CONFLICT */
export function* removeLine(
  writing: ChangeContext,
  resource: Resource,
  { id, version }: RowRemoval,
): Procedure<WrittenLine> {
  const allowed = writing.limits && allowedFor(writing.limits.rights, resource, ['delete']);
  const names = ['idx', ...decidingColumns(resource, allowed)];
  return yield* withLockedParent(writing, resource, id, names, function* ({ line, parent, count }) {
    yield* refuseLine(writing, { resource, rows: [{ id }], allowed }, { id, values: {}, version }, line, parent);
    const idx = Number(line.values.idx);
    const steps: Step[] = [
      { kind: 'raise', ...parent },
      { kind: 'remove', resource, rows: [{ id }] },
    ];
    if (count === undefined || idx < count)
      steps.push({ kind: 'shift', resource, parentId: parent.id, from: idx + 1, by: -1 });
    if (count === 1 && !parent.resource) steps.push({ kind: 'forget', line: resource, id: parent.id });
    return yield* applyPlan(writing, { steps });
  });
}

/** As `refuseRows` does, but first where the caller may not change the document. */
function* refuseLine(
  { provider, limits }: ChangeContext,
  step: Parameters<typeof refuseRows>[0],
  wanted: RowUpdate,
  line: StoredRecord,
  parent: ParentState,
): Procedure<void> {
  const isOther = wanted.version != null && wanted.version !== line.version;
  const ofDocument = isOther && limits && parent.resource && allowedFor(limits.rights, parent.resource, ['update']);
  if (ofDocument) yield* mayBeChanged(provider, parent, ofDocument);
  refuseRows(step, [wanted], [line]);
}

/**
 * Reads a line and runs `work`, which returns undefined if the parent has changed since. If so, locks the parent and
 * tries again. @throws NOT_FOUND
 */
function* withLockedParent(
  writing: ChangeContext,
  resource: Resource,
  id: string,
  names: readonly string[],
  work: (standing: LineWithParent) => Procedure<AppliedPlan | undefined>,
): Procedure<WrittenLine> {
  const { provider } = writing;
  for (let isOvertaken = false; ; isOvertaken = true) {
    let standing = yield* lineWithParent(provider, resource, id, names);
    if (standing && isOvertaken) {
      yield* parentOf(provider, resource, standing.parent.id, true);
      standing = yield* lineWithParent(provider, resource, id, names);
    }
    if (!standing || !(yield* isSeen(writing, resource, id))) throw errors.notFound(resource.title, id);
    const applied = yield* work(standing);
    if (applied) return { ids: [id], parentId: standing.parent.id, answer: applied.answer };
  }
}

// Reads lines together with their parent's version in one statement, so that the version belongs to these lines.

interface LineWithParent {
  line: StoredRecord;
  parent: ParentState;
  /** The number of lines of the parent, if `idx` was asked for: counting them takes the longer the more there are. */
  count: number | undefined;
}

/**
 * The line with the id, with the fields `names`, its position and its parent's id; undefined if there is none. Who asks for
 * `idx` by name gets the number of lines too.
 */
function* lineWithParent(
  provider: Provider,
  resource: Resource,
  id: string,
  names: readonly string[],
): Procedure<LineWithParent | undefined> {
  const { model } = resource;
  const scope = scopeOf(resource);
  const fields = [...new Set([...names, 'idx', scope])];
  const text = new StatementBuilder(provider);
  const { count: many, columns, parentIn } = versionsOf(resource, `"line"."${scope}"`);
  const siblings = `(SELECT count(*) FROM "${model}" AS "sibling" WHERE "sibling"."${scope}" = "line"."${scope}")`;
  const counts = names.includes('idx') ? [`${siblings} AS "count"`] : [];
  const ofLine = ['id', 'version', ...fields].map((name) => `"line"."${name}"`);
  const selected = [...columns, ...counts, ...ofLine].join(', ');
  const read = text.statement(`SELECT ${selected} FROM "${model}" AS "line" WHERE "line"."id" = ${text.bind(id)}`);
  // The change of the line checks that its parent still has this version.
  const [row] = yield { isChecked: true, ...read };
  if (!row) return undefined;
  const line = storedRecordReader(resource, fields, many + counts.length)(row);
  const parent = parentIn(row, String(line.values[scope]));
  return parent && { line, parent, count: counts.length > 0 ? Number(row[many]) : undefined };
}

/** The positions of a parent's lines by their ids, in their order; undefined if there are none. */
export function* linesWithParent(
  provider: Provider,
  resource: Resource,
  parentId: string,
): Procedure<{ parent: ParentState; places: Map<string, number> } | undefined> {
  const text = new StatementBuilder(provider);
  // The parent's id is bound, so that its version is looked up once and not for each line.
  const ofParent = text.bind(parentId);
  const { count, columns, parentIn } = versionsOf(resource, ofParent);
  const found = yield text.statement(
    `SELECT ${[...columns, '"id"', '"idx"'].join(', ')} FROM "${resource.model}"
     WHERE "${scopeOf(resource)}" = ${ofParent} ORDER BY "idx"`,
  );
  const parent = found[0] && parentIn(found[0], parentId);
  return parent && { parent, places: new Map(found.map((row) => [String(row[count]), Number(row[count + 1])])) };
}

/** The versions of all records that may be the parent, of which at most one exists: so many columns, which come first. */
function versionsOf(resource: Resource, parentId: string) {
  const required = requiredParent(resource);
  const candidates = (required ? [required] : resource.parents).map((each) => each.resource);
  const tables = [...candidates.map(({ model }) => model), ...(required ? [] : [foreignParents])];
  return {
    count: tables.length,
    columns: tables.map(
      (table) =>
        `(SELECT "version" FROM "${table}" AS "parent" WHERE "parent"."id" = ${parentId}) AS "version of ${table}"`,
    ),
    /** Undefined if the line's required parent is missing. */
    parentIn(row: Rows[number], id: string): ParentState | undefined {
      const place = candidates.findIndex((_, index) => row[index] !== null);
      if (required && place < 0) return undefined;
      return { id, resource: candidates[place], version: Number(row[place < 0 ? tables.length - 1 : place] ?? 0) };
    },
  };
}

/**
 * Puts a parent's lines into the order of `ids`, which must name each of them once; without `ids` it only closes gaps.
 * Returns the ids in their new order (docs/decisions.md: reorder). @throws BAD_USER_INPUT `reorder_mismatch` with the
 * `unexpected` ids, and the `missing` ones if `reportsMissing`; `resource_missing`
 */
export function* reorder(
  writing: ChangeContext,
  resource: Resource,
  {
    parentId,
    ids,
    reportsMissing,
  }: { parentId: string; ids?: readonly string[] | null | undefined; reportsMissing: boolean },
): Procedure<WrittenRecords> {
  const { provider } = writing;
  for (let isOvertaken = false; ; isOvertaken = true) {
    if (isOvertaken) yield* parentOf(provider, resource, parentId, true);
    const present = yield* linesWithParent(provider, resource, parentId);
    const parent = present?.parent ?? (yield* parentOf(provider, resource, parentId, false));
    const known = resource.parents[0]?.resource;
    if (!parent || (yield* isHidden(writing, resource, parentId))) {
      throw known ? unknownParent(known, parentId, ['parentId']) : new Error('A line has a parent');
    }
    const places = present?.places ?? new Map<string, number>();
    // Of lines that follow no document, those that the caller may not see keep their places.
    const there = parent.resource ? undefined : yield* seenAmong(writing, resource, [...places.keys()]);
    const shown = [...places.keys()].filter((id) => there?.has(id) ?? true);
    const free = shown.map((id) => places.get(id) ?? 0);
    const wanted = [...(ids ?? shown)];
    refuseMismatch(shown, wanted, reportsMissing);
    const rows = wanted
      .map((id, index) => ({ id, values: { idx: shown.length < places.size ? free[index] : index + 1 } }))
      .filter(({ id, values }) => places.get(id) !== values.idx);
    const steps: Step[] =
      rows.length === 0
        ? [{ kind: 'lock', ...parent }]
        : [
            { kind: 'raise', ...parent },
            { kind: 'update', resource, rows, action: 'update' },
          ];
    if (yield* applyPlan(writing, { steps })) return { ids: wanted };
  }
}

/** Whether there is no such parent for the caller, though its id is that of a record held here. */
function* isHidden(writing: ChangeContext, line: Resource, parentId: string): Procedure<boolean> {
  const parent = parentResource(line, parentId);
  return parent !== undefined && !(yield* isSeen(writing, parent, parentId));
}

/** The most ids of lines that an error lists; a document may have any number. */
const mostMissing = 1_000;

function refuseMismatch(present: readonly string[], wanted: readonly string[], reportsMissing: boolean): void {
  const left = new Set(present);
  const unexpected = wanted.filter((id) => !left.delete(id));
  if (unexpected.length === 0 && left.size === 0) return;
  const told = unexpected.slice(0, mostProblems).map(shownId);
  const missing = reportsMissing ? [...left].slice(0, mostMissing) : [];
  const named = [
    ...(told.length > 0 ? [`it names ${firstOf(told, unexpected.length)}, not among them or named before`] : []),
    ...(missing.length > 0 ? [`it lacks ${firstOf(missing, left.size)}`] : []),
  ];
  throw errors.badInput([
    {
      path: ['ids'],
      code: 'reorder_mismatch',
      message: ['must name every line of the parent exactly once', ...named].join('; '),
      details: reportsMissing ? { missing, unexpected: told } : { unexpected: told },
    },
  ]);
}

function firstOf([first]: readonly string[], count: number): string {
  return count > 1 ? `"${first}" and ${count - 1} more` : `"${first}"`;
}
