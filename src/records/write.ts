/** The door through which a record that stands by itself changes: create, update, submit, cancel, delete. */
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import { type Resource, singletonId } from '../model/resource.js';
import { changeRecord, removeRecord } from './change.js';
import { type ChangedRecord, moved, updated } from './changed-record.js';
import { delegate, type Row, type Selection, type Values } from './delegate.js';
import { type Action, refused } from './lifecycle.js';
import { newRecord } from './new-record.js';
import { updateProblems } from './rules/index.js';

type Context = Pick<RequestContext, 'database'>;

/** Creates a record together with the lines in the input, all or nothing (document 4.1). Returns what was selected. */
export async function createRecord(
  { database }: Context,
  resource: Resource,
  input: Values,
  selection: Selection,
): Promise<Row> {
  const { own, lists } = newRecord(resource, input);
  const lines = lists.map(({ lines: { field }, values }) => [field, { createMany: { data: values } }]);
  const data = { ...own, ...Object.fromEntries(lines) };
  return database.transaction((tx) => delegate(tx, resource).create({ ...selection, data }));
}

/**
 * Changes the fields in the input, and nothing else (document 4.1). Setting `status` moves the document as submit and
 * cancel do. @throws NOT_FOUND, INVALID_STATE, VERSION_CONFLICT, BAD_USER_INPUT
 */
export async function updateRecord(
  context: Context,
  resource: Resource,
  id: string,
  input: Values,
  selection: Selection,
  version?: number,
): Promise<Row> {
  if (resource.kind === 'singleton' && id !== singletonId(resource)) throw errors.notFound(resource.title, id);
  const problems = updateProblems(resource, input);
  if (problems.length > 0) throw errors.badInput(problems);
  return change(context, updated(resource, id, input, version), selection);
}

/** Submits or cancels. @throws NOT_FOUND, INVALID_STATE, VERSION_CONFLICT */
export function moveRecord(
  context: Context,
  resource: Resource,
  id: string,
  action: Action,
  selection: Selection,
  version?: number,
): Promise<Row> {
  return change(context, moved(resource, id, action, version), selection);
}

function change({ database }: Context, record: ChangedRecord, selection: Selection): Promise<Row> {
  const { resource, values } = record;
  return database.transaction((tx) => changeRecord(tx, record, selection, refused(resource, values.status)));
}

/** Deletes a record for good, and its lines with it (document 4.1). @throws NOT_FOUND, VERSION_CONFLICT */
export function deleteRecord(
  { database }: Context,
  resource: Resource,
  id: string,
  version?: number,
): Promise<undefined> {
  return database.transaction((tx) => removeRecord(tx, resource, id, version));
}
