/**
 * Saves a whole document: its fields and complete lists of its lines. Nothing is written before all problems are known,
 * and nothing at all if nothing differs.
 */
import type { Procedure } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import { quotedId } from '../../model/errors/gateway-error.js';
import type { Problem } from '../../model/errors/problem.js';
import { openStatuses } from '../../model/lifecycle.js';
import type { Lines, Resource } from '../../model/resource.js';
import { applyPlan } from '../apply-plan.js';
import type { ChangeContext } from '../context.js';
import { allowedFor, updateActions } from '../limit-plan.js';
import type { Becomes, InsertedRow, RowUpdate, Step } from '../plan.js';
import { decidingColumns, mismatchOf, refuseRows } from '../refusals.js';
import { problemsOfInput } from '../rules.js';
import { readStored } from '../statements/stored-record.js';
import { differences, newRow, ownershipOf, type StoredRecord, valuesOf } from '../values.js';
import { broughtRow, raiseAboveDeleted } from './bring.js';

export interface Save {
  id: string;
  input: Values;
  /** The version that the caller has read. */
  version?: number | null | undefined;
  /** Called before lines are deleted; an error it throws prevents the save. */
  beforeDeleting?: () => void;
  /** Whether lines with ids that are not there are new ones, which bring these ids with them. */
  bringsLines?: boolean;
  /** What the record gets in place of the next version and the time of the change. */
  becomes?: Becomes;
}

export interface SaveChanges {
  /** The changed fields of the parent. */
  fields: string[];
  /** The given lists, in the order of the models. */
  lines: LineChanges[];
}

/**
 * Changes the fields in the input, and makes the lines of each given list equal to it; a list left out stays unchanged.
 * @throws NOT_FOUND, VERSION_CONFLICT, INVALID_STATE; BAD_USER_INPUT with the problems of all lines
 */
export function* save(
  writing: ChangeContext,
  resource: Resource,
  { id, input, version, beforeDeleting, bringsLines, becomes }: Save,
): Procedure<SaveChanges> {
  const { provider, limits } = writing;
  const values = valuesOf(resource, input);
  const inputProblems = saveInputProblems(writing, resource, { id, input, values });
  const allowed = limits && allowedFor(limits.rights, resource, updateActions(resource, values));
  const names = [...new Set([...Object.keys(values), ...decidingColumns(resource, allowed)])];
  for (let isLocked = false; ; isLocked = true) {
    // The parent's version is read before its lines; if it is raised in between, they are read again.
    const found = yield* readStored(provider, resource, { by: 'id', among: [id], names, isLocked });
    const wanted = { id, values, version, statuses: openStatuses(resource, values) };
    const [record] = found;
    if (inputProblems.length > 0 && mismatchOf(wanted, record, { allowed })) throw errors.badInput(inputProblems);
    refuseRows({ resource, rows: [wanted], allowed }, [wanted], found);
    if (!record) throw errors.notFound(resource.title, id);

    const plans = [];
    for (const lines of resource.lines) {
      const list: unknown = input[lines.field];
      if (!Array.isArray(list)) continue;
      const given = new Set<string>();
      for (const line of list) for (const name in line) given.add(name);
      const columns = lines.resource.fields.map(({ name }) => name).filter((name) => name === 'idx' || given.has(name));
      const reading = { by: lines.reference, among: [id], names: columns, isLocked: false };
      plans.push(
        planLines(resource, id, lines, yield* readStored(provider, lines.resource, reading), list, bringsLines),
      );
    }
    const changed = differences(record.values, values);
    const steps = plans.flatMap((plan) => plan.steps);
    if (bringsLines) {
      for (const step of steps) if (step.kind === 'insert') yield* raiseAboveDeleted(provider, id, step.rows);
    }
    const admit = steps.some(({ kind }) => kind === 'remove') ? beforeDeleting : undefined;
    // The parent's version also rises if only its lines change.
    const raises = steps.length > 0 || Object.keys(changed).length > 0 || becomes !== undefined;
    const row = { id, values: changed, version: record.version, becomes };
    if (raises) steps.unshift({ kind: 'update', resource, rows: [row], action: 'update', raises, at: () => ['input'] });
    else steps.push({ kind: 'lock', id, resource, version: record.version });
    const problems = plans.flatMap((plan) => plan.problems);
    if (yield* applyPlan(writing, { steps, problems, inputProblems, admit })) {
      return { fields: Object.keys(changed), lines: plans.map(({ summary }) => summary) };
    }
  }
}

/**
 * The problems that the rules which look at the input alone find in the fields and lines of a save, before anything is
 * read.
 */
function saveInputProblems(
  writing: ChangeContext,
  resource: Resource,
  { id, input, values }: { id: string; input: Values; values: Values },
): Problem[] {
  const { rules } = writing.handlers;
  const steps: Step[] = [{ kind: 'update', resource, rows: [{ id, values }], action: 'update', at: () => ['input'] }];
  for (const { resource: child, field } of resource.lines) {
    const list: unknown = input[field];
    if (!Array.isArray(list) || !rules[child.model]) continue;
    const owned = ownershipOf(resource, child, id);
    for (const [index, { id: lineId, ...line }] of list.entries()) {
      const at = () => ['input', field, index];
      if (typeof lineId === 'string') {
        const rows = [{ id: lineId, values: { ...valuesOf(child, line), idx: index + 1 } }];
        steps.push({ kind: 'update', resource: child, rows, action: 'update', at });
      } else if (missingFields(child, line, at()).length === 0) {
        steps.push({ kind: 'insert', resource: child, rows: [newRow(child, line, { idx: index + 1, ...owned })], at });
      }
    }
  }
  return steps.flatMap((step) => problemsOfInput(writing, step));
}

export interface LineChanges {
  /** The list's field on the parent, such as `consumedItems`. */
  list: string;
  created: number;
  /** Lines with changed fields. */
  updated: string[];
  /** Lines with only a changed position. */
  moved: string[];
  deleted: string[];
}

/**
 * Compares the existing lines with the wanted ones: a line with an `id` is changed where it differs, one without is
 * new, and one that is missing is deleted. Unchanged lines are not written. If it `bringsLines`, one with an id that is
 * not there is new, too, and keeps that id.
 */
function planLines(
  parent: Resource,
  parentId: string,
  { resource: child, field }: Lines,
  present: readonly StoredRecord[],
  wanted: readonly Values[],
  bringsLines = false,
) {
  const left = new Map(present.map((line) => [line.id, line]));
  const named = new Map<string, number>();
  const owned = ownershipOf(parent, child, parentId);
  const problems: Problem[] = [];
  const created: InsertedRow[] = [];
  const changed: RowUpdate[] = [];
  // The input index of each of them.
  const places: number[] = [];
  const [updated, moved]: [string[], string[]] = [[], []];

  for (const [index, line] of wanted.entries()) {
    const { id } = line;
    const path = ['input', field, index];
    if (typeof id !== 'string' || (bringsLines && !left.has(id) && !named.has(id))) {
      if (typeof id === 'string') named.set(id, index);
      const missing = missingFields(child, line, path);
      problems.push(...missing);
      // Rules are not asked about a line that is incomplete.
      if (missing.length > 0) continue;
      const place = { idx: index + 1, ...owned };
      created.push(bringsLines ? broughtRow(child, line, place) : newRow(child, line, place));
      continue;
    }
    const row = left.get(id);
    const problem = row ? undefined : notALine(parent, id, field, named.get(id));
    if (problem) problems.push({ path: [...path, 'id'], ...problem });
    named.set(id, index);
    if (!row) continue;
    left.delete(id);
    const given = valuesOf(child, line);
    given.idx = index + 1;
    const values = differences(row.values, given);
    const names = Object.keys(values);
    if (names.length === 0) continue;
    (names.length === 1 && names[0] === 'idx' ? moved : updated).push(id);
    changed.push({ id, values });
    places.push(index);
  }

  const deleted = [...left.keys()];
  const at = (row: number) => ['input', field, places[row] ?? 0];
  const steps: Step[] = [
    { kind: 'remove', resource: child, rows: deleted.map((id) => ({ id })) },
    { kind: 'update', resource: child, rows: changed, action: 'update', at },
    {
      kind: 'insert',
      resource: child,
      rows: created,
      at: (row) => ['input', field, Number(created[row]?.idx) - 1],
      ...(bringsLines ? { versions: new Map() } : {}),
    },
  ];
  const summary: LineChanges = { list: field, created: created.length, updated, moved, deleted };
  return { steps: steps.filter((step) => 'rows' in step && step.rows.length > 0), summary, problems };
}

/** The missing fields of a new line; an existing line may leave out every field. */
function missingFields({ fields, scope }: Resource, line: Values, path: Problem['path']): Problem[] {
  const given = new Set([scope, 'idx', 'parentType']);
  return fields
    .filter(({ name, required }) => required && !given.has(name) && line[name] === undefined)
    .map(({ name }) => ({ path: [...path, name], code: 'parameter_missing', message: 'is required of a new line' }));
}

function notALine({ title }: Resource, id: string, list: string, place?: number): Omit<Problem, 'path'> {
  if (place !== undefined)
    return { code: 'parameter_invalid', message: `names the same line as \`${list}[${place}]\`` };
  const message = `names no line of this ${title}: it has none with the id ${quotedId(id)}`;
  return { code: 'resource_missing', message };
}
