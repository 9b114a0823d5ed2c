/**
 * The door through which a child record changes. `idx` runs from 1 without gaps: every change first takes the parent's
 * row, which raises its version and makes writers of one parent's lines wait for each other, and then closes or opens
 * the gap it makes, all in one transaction (decision: idx).
 */
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import type { Resource } from '../model/resource.js';
import { changeRecord, removeRecord } from './change.js';
import { type Client, delegate, type Row, type Selection, type Values } from './delegate.js';
import { claimParent, forgetParent, scopeOf, unknownParent } from './parents.js';
import { birthValues, completeValuesOf, touchValues, valuesOf } from './values.js';

type Context = Pick<RequestContext, 'database'>;

/** The columns of new lines but for those that tie them to their parent; none where no list is given. */
export function newLines(child: Resource, lines: unknown): Values[] {
  if (!Array.isArray(lines)) return [];
  return lines.map((line: Values, index) => ({
    ...completeValuesOf(child, line),
    ...birthValues(child),
    idx: index + 1,
  }));
}

/** The columns that tie a line to its parent. */
export function ownershipOf(parent: Resource, child: Resource, parentId: string): Values {
  const reference = child.parents.find(({ resource }) => resource === parent)?.reference;
  return { ...(reference ? { [reference]: parentId } : {}), ...parentTypeOf(parent, child, parentId) };
}

/** Those of them that are fields of the document. */
export function parentTypeOf({ title }: Resource, { fields }: Resource, parentId: string): Values {
  return fields.some(({ name }) => name === 'parentType') ? { parentId, parentType: title } : {};
}

/** Creates a line at `idx`, or behind the last (document 4.2). @throws BAD_USER_INPUT for an unknown parent */
export function createLine(context: Context, resource: Resource, input: Values, selection: Selection): Promise<Row> {
  const scope = scopeOf(resource);
  return context.database.transaction(async (tx) => {
    const parentId = String(input[scope]);
    const links = await claimParent(tx, resource, parentId, unknownParent(['input', scope], parentId));
    const count = await delegate(tx, resource).count({ where: { [scope]: parentId } });
    const idx = Math.min(Number(input.idx ?? count + 1), count + 1);
    if (idx <= count) await shift(tx, resource, parentId, { from: idx, to: count, by: 1 });
    const data = { ...valuesOf(resource, input), ...links, ...birthValues(resource), idx };
    return delegate(tx, resource).create({ ...selection, data });
  });
}

/** Changes a line, and moves it where `idx` is given. @throws NOT_FOUND, VERSION_CONFLICT, BAD_USER_INPUT */
export function updateLine(
  context: Context,
  resource: Resource,
  id: string,
  input: Values,
  selection: Selection,
  version?: number,
): Promise<Row> {
  const scope = scopeOf(resource);
  return context.database.transaction(async (tx) => {
    const line = await find(tx, resource, id);
    const parentId = String(line[scope]);
    if (input[scope] != null && input[scope] !== parentId) throw parentIsFixed(scope);
    await claimParent(tx, resource, parentId, () => errors.notFound(resource.title, id));
    const values = valuesOf(resource, input);
    if (values.idx !== undefined) values.idx = await moveTo(tx, resource, parentId, id, Number(values.idx));
    return changeRecord(tx, { resource, id, values, version }, selection);
  });
}

/** Deletes a line and closes its gap. Returns the id of its parent. @throws NOT_FOUND, VERSION_CONFLICT */
export function deleteLine(context: Context, resource: Resource, id: string, version?: number): Promise<string> {
  const scope = scopeOf(resource);
  return context.database.transaction(async (tx) => {
    const parentId = String((await find(tx, resource, id))[scope]);
    await claimParent(tx, resource, parentId, () => errors.notFound(resource.title, id));
    const { idx } = await find(tx, resource, id);
    await removeRecord(tx, resource, id, version);
    const shifted = await shift(tx, resource, parentId, { from: Number(idx) + 1, by: -1 });
    if (idx === 1 && shifted === 0) await forgetParent(tx, resource, parentId);
    return parentId;
  });
}

/** Makes room for the line at its new place; returns that place, which is within 1…n. */
async function moveTo(tx: Client, resource: Resource, parentId: string, id: string, wanted: number): Promise<number> {
  const { idx } = await find(tx, resource, id);
  const from = Number(idx);
  const count = await delegate(tx, resource).count({ where: { [scopeOf(resource)]: parentId } });
  const to = Math.min(wanted, count);
  if (to < from) await shift(tx, resource, parentId, { from: to, to: from - 1, by: 1 });
  if (to > from) await shift(tx, resource, parentId, { from: from + 1, to, by: -1 });
  return to;
}

/** Moves lines by one place. A line shows its place, so its version is raised. Returns how many were moved. */
async function shift(
  tx: Client,
  resource: Resource,
  parentId: string,
  { from, to, by }: { from: number; to?: number; by: 1 | -1 },
): Promise<number> {
  const { count } = await delegate(tx, resource).updateMany({
    where: { [scopeOf(resource)]: parentId, idx: { gte: from, ...(to === undefined ? {} : { lte: to }) } },
    data: { idx: { increment: by }, ...touchValues(resource) },
  });
  return count;
}

async function find(tx: Client, resource: Resource, id: string): Promise<Row> {
  const select = { id: true, idx: true, [scopeOf(resource)]: true };
  const line = await delegate(tx, resource).findUnique({ where: { id }, select });
  if (!line) throw errors.notFound(resource.title, id);
  return line;
}

const parentIsFixed = (scope: string) =>
  errors.badInput([
    {
      path: ['input', scope],
      code: 'parameter_immutable',
      message: 'cannot change; delete this line and create it under the other parent',
    },
  ]);
