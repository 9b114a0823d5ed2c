/**
 * The door through which a document is saved whole: its fields and the complete lists of its lines, in one transaction.
 * Taking the parent first raises its version once and makes writers of its lines take turns, as every change of a line
 * does; nothing is written before everything that is wrong has been found.
 */
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import type { Lines, Resource } from '../model/resource.js';
import { changeRecord } from './change.js';
import { changeMany } from './change-many.js';
import { updated } from './changed-record.js';
import { type Client, delegate, type Row, type Selection, type Values } from './delegate.js';
import { dryRun } from './dry-run.js';
import { refused } from './lifecycle.js';
import { differences, type LineChanges, type LinePlan, planLines } from './line-plan.js';
import { ownershipOf } from './lines.js';
import { scopeOf } from './parents.js';
import { updateProblems } from './rules/index.js';

type Context = Pick<RequestContext, 'database'>;

export interface Saved {
  /** What was selected of the record; null after a dry run, for it is not what is stored. */
  record: Row | null;
  /** The parent's fields that have a new value. */
  fields: string[];
  /** The lists that were given, in the order of the models. */
  lines: LineChanges[];
}

export interface SaveConditions {
  /** The version the caller has seen. */
  version?: number | undefined;
  /** Called before lines are deleted; what it throws keeps everything as it is. */
  beforeDeleting?: () => void;
}

/**
 * Changes the fields in the input and makes the lines of each list in it the lines that are given, all or nothing; a
 * list left out stays as it is. `validateOnly` does all of that and undoes it.
 * @throws NOT_FOUND, VERSION_CONFLICT, INVALID_STATE; BAD_USER_INPUT with every problem of every line
 */
export function saveRecord(
  context: Context,
  resource: Resource,
  id: string,
  input: Values,
  selection: Selection,
  { validateOnly, ...conditions }: SaveConditions & { validateOnly: boolean },
): Promise<Saved> {
  const save = async ({ database }: Context): Promise<Saved> =>
    database.transaction(async (tx) => {
      const changes = await saveIn(tx, resource, id, input, conditions);
      const record = validateOnly ? null : await delegate(tx, resource).findUnique({ ...selection, where: { id } });
      return { record, ...changes };
    });
  return validateOnly ? dryRun(context, save) : save(context);
}

async function saveIn(
  tx: Client,
  resource: Resource,
  id: string,
  input: Values,
  { version, beforeDeleting }: SaveConditions,
): Promise<Omit<Saved, 'record'>> {
  const change = updated(resource, id, input, version);
  const { values } = change;
  const select = { id: true, ...Object.fromEntries(Object.keys(values).map((name) => [name, true])) };
  const before = await changeRecord(tx, { ...change, values: {} }, { select }, refused(resource, values.status));

  const plans: LinePlan[] = [];
  for (const lines of resource.lines) {
    const wanted = input[lines.field];
    if (Array.isArray(wanted)) plans.push(await plan(tx, resource, lines, id, wanted));
  }
  const problems = [...updateProblems(resource, input), ...plans.flatMap((each) => each.problems)];
  if (problems.length > 0) throw errors.badInput(problems.slice(0, mostProblems));
  if (plans.some(({ remove }) => remove.length > 0)) beforeDeleting?.();

  const changed = differences(before, values);
  if (Object.keys(changed).length > 0) await delegate(tx, resource).updateMany({ where: { id }, data: changed });
  for (const each of plans) await carryOut(tx, resource, id, each);
  return { fields: Object.keys(changed), lines: plans.map(({ summary }) => summary) };
}

/** As many as are told of any other input. */
const mostProblems = 50;

async function plan(tx: Client, parent: Resource, lines: Lines, id: string, wanted: Values[]): Promise<LinePlan> {
  const child = lines.resource;
  const given = new Set(wanted.flatMap(Object.keys));
  const names = child.fields.map(({ name }) => name).filter((name) => given.has(name));
  const select = { id: true, idx: true, ...Object.fromEntries(names.map((name) => [name, true])) };
  const present = await delegate(tx, child).findMany({ where: { [scopeOf(child)]: id }, select });
  return planLines(parent, lines, present, wanted);
}

async function carryOut(tx: Client, parent: Resource, id: string, { child, create, change, remove }: LinePlan) {
  const lines = delegate(tx, child);
  for (let start = 0; start < remove.length; start += mostIds) {
    await lines.deleteMany({ where: { id: { in: remove.slice(start, start + mostIds) } } });
  }
  if (change.length > 0) await changeMany(tx, child, change);
  const owned = ownershipOf(parent, child, id);
  if (create.length > 0) await lines.createMany({ data: create.map((line) => ({ ...line, ...owned })) });
}

/** Ids a statement names at a time; SQLite binds 32,766 values. */
const mostIds = 30_000;
