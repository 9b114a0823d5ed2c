/** What mutations of records answer: the records after it, or why nothing was done. */
import type { LineChanges, SaveChanges } from '../../change/writes/save.js';
import type { ProblemCode } from '../../model/errors/problem.js';
import { withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { UserError } from '../../model/selection.js';
import type { SelectedRecord } from '../../query/delegate.js';
import { answeredBySql } from '../answered-by-sql.js';
import { objectOf, perBuilder, perResource } from '../builder.js';
import { findNode } from '../fields/queries.js';
import { documentStatus, enumOf, recordAction } from './enums.js';
import { node } from './record-interfaces.js';
import { typeOf } from './record-object-types.js';

const codes: Record<ProblemCode, string> = {
  parameter_missing: 'A value that is required was left out.',
  parameter_unknown: 'There is no value of this name.',
  parameter_invalid: 'The value cannot be used.',
  parameter_immutable: 'The value cannot be changed.',
  resource_missing: 'There is no record with this id.',
  reorder_mismatch: 'The ids given are not those of the lines.',
  version_conflict: 'The record has changed since it was read.',
  invalid_state: 'The state of the document does not allow it.',
  forbidden: 'Your roles do not allow it with this record. Only in results of many; else it is an error.',
};

const userErrorCode = enumOf('UserErrorCode', 'Why a mutation was refused, for programs.', codes);

const inError = (part: keyof UserError, description: string) => ({
  extensions: answeredBySql({ kind: 'userError', part }),
  description,
});

const userError = objectOf<UserError>('UserError', {
  description: 'A problem that the caller can correct, because of which nothing was changed.',
  fields: (t, builder) => ({
    code: t.expose('code', { type: userErrorCode(builder), ...inError('code', 'What kind of problem it is.') }),
    path: t.exposeStringList(
      'path',
      inError(
        'path',
        'Where it is, from the argument inwards: `["input", "consumedItems", "2", "itemCode"]`. Empty where it is about the record itself, or about an argument of another field.',
      ),
    ),
    message: t.exposeString('message', inError('message', 'What is wrong and what to do, as a sentence.')),
    currentState: t.expose('currentState', {
      type: documentStatus(builder),
      nullable: true,
      ...inError(
        'currentState',
        'With INVALID_STATE: the state of the document; null if another word is stored (`storedStatus`).',
      ),
    }),
    allowedActions: t.expose('allowedActions', {
      type: [recordAction(builder)],
      nullable: true,
      ...inError('allowedActions', 'With INVALID_STATE: what moves the document on from there.'),
    }),
    currentVersion: t.exposeInt('currentVersion', {
      nullable: true,
      ...inError('currentVersion', 'With VERSION_CONFLICT: the version the record is at.'),
    }),
  }),
});

/** A refusal that the caller has asked for as part of the answer. */
export interface Refused {
  userErrors: readonly UserError[];
}

/** The field of every answer that may be such a refusal. */
export const userErrorsField = perBuilder((builder) => {
  const type: [ReturnType<typeof userError>] = [userError(builder)];
  return {
    type,
    description: 'Why nothing was done; empty where it was. Selected, these are no `errors` of GraphQL.',
    extensions: answeredBySql({ kind: 'payload', part: 'userErrors' }),
    resolve: ({ userErrors = [] }: Partial<Refused>) => userErrors,
  };
});

export interface Payload extends Partial<Refused> {
  record?: SelectedRecord | null;
  changes?: SaveChanges;
}

export const payloadOf = perResource((builder, resource) =>
  builder.objectRef<Payload>(`${resource.model}Payload`).implement({
    description: `What became of ${withArticle(resource.title)}.`,
    fields: (t) => ({
      record: t.expose('record', {
        type: typeOf(builder, resource),
        nullable: true,
        description:
          'The record as it is now. Null where nothing was stored: with `userErrors`, and with `validateOnly`.',
        extensions: answeredBySql({ kind: 'payload', part: 'record' }),
      }),
      changes: t.expose('changes', {
        type: saveChanges(builder),
        nullable: true,
        description: 'What a save has changed, or would with `validateOnly`. Null for other mutations.',
        extensions: answeredBySql({ kind: 'payload', part: 'changes' }),
      }),
      userErrors: t.field(userErrorsField(builder)),
    }),
  }),
);

/** Of many records at once, and of a new order of lines. */
export const listPayloadOf = perResource((builder, resource) =>
  builder
    .objectRef<Partial<Refused & { records: readonly SelectedRecord[] }>>(`${resource.model}ListPayload`)
    .implement({
      description: `What became of several records of ${resource.title}.`,
      fields: (t) => ({
        records: t.expose('records', {
          type: [typeOf(builder, resource)],
          nullable: true,
          description: 'The records as they are now, in the order of the argument. Null where nothing was stored.',
          extensions: answeredBySql({ kind: 'payload', part: 'records' }),
        }),
        userErrors: t.field(userErrorsField(builder)),
      }),
    }),
);

const inLines = (part: keyof LineChanges, description: string) => ({
  extensions: answeredBySql({ kind: 'lineChanges', part }),
  description,
});

const lineChanges = objectOf<LineChanges>('LineChanges', {
  description:
    'How the lines of one list were changed when their parent was saved. Lines that are not mentioned stayed as they were.',
  fields: (t) => ({
    list: t.exposeString('list', inLines('list', "The list's field on the parent, `consumedItems` for example.")),
    created: t.exposeInt('created', inLines('created', 'How many lines are new.')),
    updated: t.exposeIDList('updated', inLines('updated', 'Ids of the lines of which a field changed.')),
    moved: t.exposeIDList('moved', inLines('moved', 'Ids of the lines of which only the place changed.')),
    deleted: t.exposeIDList(
      'deleted',
      inLines('deleted', 'Ids of the lines that are gone, to be taken out of a cache.'),
    ),
  }),
});

const saveChanges = objectOf<SaveChanges>('SaveChanges', {
  description: 'What a save changed.',
  fields: (t, builder) => ({
    fields: t.exposeStringList('fields', {
      extensions: answeredBySql({ kind: 'changes', part: 'fields' }),
      description: 'The fields of the record itself that have a new value.',
    }),
    lines: t.expose('lines', {
      type: [lineChanges(builder)],
      description: 'One entry for each list that was given.',
      extensions: answeredBySql({ kind: 'changes', part: 'lines' }),
    }),
  }),
});

/** The answers to deletes have no field `id`, because client caches would take it for the deleted record. */
interface DeletePayload extends Partial<Refused> {
  id?: string;
  /** Only of a line. */
  parent?: { id: string; resource: Resource | undefined } | undefined;
}

export const deletePayload = objectOf<DeletePayload>('DeletePayload', {
  description: 'The outcome of deleting a record for good, and its children with it.',
  fields: (t, builder) => ({
    deletedId: t.exposeID('id', {
      nullable: true,
      extensions: answeredBySql({ kind: 'deleted', part: 'id' }),
      description:
        'The id it had, to be taken out of a cache; no other record will get it. Null where nothing was deleted.',
    }),
    deleted: t.boolean({
      description: 'Whether it was deleted: false only with `userErrors`.',
      extensions: answeredBySql({ kind: 'deleted', part: 'deleted' }),
      resolve: ({ id }) => id !== undefined,
    }),
    parent: t.field({
      type: node(builder),
      nullable: true,
      description:
        'The record a deleted line belonged to, as it is now: its version was raised, and the lines after it moved up. ' +
        'Null for what was no line, or belonged to a record held elsewhere.',
      resolve: ({ parent }, _, context, info) => (parent ? findNode(parent.resource, parent.id, context, info) : null),
    }),
    userErrors: t.field(userErrorsField(builder)),
  }),
});

export const deleteManyPayload = objectOf<Partial<Refused & { ids: readonly string[] }>>('DeleteManyPayload', {
  description: 'The outcome of deleting many records for good, and their children with them.',
  fields: (t, builder) => ({
    deletedIds: t.exposeIDList('ids', {
      nullable: true,
      description:
        'The ids they had, to be taken out of a cache; no other record will get them. Null where nothing was deleted.',
      extensions: answeredBySql({ kind: 'deleted', part: 'ids' }),
    }),
    userErrors: t.field(userErrorsField(builder)),
  }),
});
