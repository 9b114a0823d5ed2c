/** What records have in common, so that one fragment of a client serves all types. */

import type { Identity, RequestContext } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import type { Values } from '../../model/change.js';
import { actionProblem, lockProblem, transitions } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';
import { hasScope, isPerson, requiredScopes } from '../../model/scopes.js';
import { columnsIn, matches } from '../../query/matches.js';
import { objectOf, orNull, perBuilder } from '../builder.js';
import { documentStatus, type RecordAction, recordAction, recordActions } from './enums.js';

export const node = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('Node').implement({
    description: 'Anything with an id. Ids are unique among all records and the same on the REST surface.',
    fields: (t) => ({ id: t.exposeID('id', { description: 'Unique among all records: `<type>_<26 characters>`.' }) }),
  }),
);

/** Of each type of records too, whose columns would have the text of the model. */
export const recordIdMeaning = 'Its own id, also with `asOf`: what filters and mutations take.';

/** Each type of records answers the fields itself. */
const byTheType = (): never => {
  throw new Error('A type of records does not answer a field of its interface');
};

export const record = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('BusinessRecord').implement({
    description: 'A record of any type, lines included. What `node` and `nodes` find is one.',
    interfaces: [node(builder)],
    fields: (t) => ({
      id: t.exposeID('id', {
        description:
          'Unique among all records: `<type>_<26 characters>`. Of what `asOf` answers it is `<id>@<version of the document>`: a state of the past is another object to caches.',
      }),
      recordId: t.exposeID('id', { description: recordIdMeaning }),
      version: t.int({
        resolve: byTheType,
        description: 'Raised by one by every change.',
      }),
      displayTitle: t.string({
        resolve: byTheType,
        description:
          'What to call it on a screen: its title with `{field}` filled in, else the fields that name it, else its id.',
      }),
      actions: t.field({
        resolve: byTheType,
        type: [actionState(builder)],
        description: 'What can be done with it as it is now, or as it was with `asOf`, and why the rest cannot.',
      }),
    }),
  }),
);

/** Lines have no times of their own, so they are none of these. */
export const mainRecord = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('MainRecord').implement({
    description: 'A record that stands by itself and is no line of another. What `search` finds is one.',
    interfaces: [node(builder), record(builder)],
    fields: (t) => ({
      createdAt: t.field({ resolve: byTheType, type: 'DateTime', description: 'When it was created.' }),
      updatedAt: t.field({
        resolve: byTheType,
        type: 'DateTime',
        description: 'When it or one of its lines was last changed.',
      }),
      createdBy: t.string({
        resolve: byTheType,
        nullable: true,
        description:
          'Who created it: `key:` and the id of an API key, or a person as `<issuer>|<subject>`. Null if a command on the server did, and for records older than this field.',
      }),
      updatedBy: t.string({
        resolve: byTheType,
        nullable: true,
        description:
          'Who last changed it or one of its lines, in the same form. Null if a command on the server did, and for records that have not been changed since there is this field.',
      }),
    }),
  }),
);

export const document = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('BusinessDocument').implement({
    description: 'A record that is a draft first, then submitted, and cancelled at last.',
    interfaces: [node(builder), record(builder), mainRecord(builder)],
    fields: (t) => ({
      status: t.field({ resolve: byTheType, type: documentStatus(builder), description: 'The state of the document.' }),
      allowedActions: t.field({
        resolve: byTheType,
        type: [recordAction(builder)],
        description: 'What moves it on from its present state: SUBMIT or CANCEL; empty once it is cancelled.',
      }),
    }),
  }),
);

/** What may be done with a record, and why not, by its state and by the caller's key. */
interface ActionState {
  action: RecordAction;
  /** Undefined if the action is allowed. */
  reason: string | undefined;
}

export const actionState = objectOf<ActionState>('RecordActionState', {
  description: 'Whether something can be done with a record as it is now, by the key that asks.',
  fields: (t, builder) => ({
    action: t.expose('action', { type: recordAction(builder), description: 'What is to be done.' }),
    allowed: t.boolean({ description: 'Whether it can be.', resolve: ({ reason }) => reason === undefined }),
    reason: t.exposeString('reason', orNull('Why it cannot be, as a sentence for people; null where it can.')),
  }),
});

type Asking = Pick<RequestContext, 'identity' | 'changes'>;

/**
 * Selects what decides about the actions of a record: its state and what the caller's rules compare, and the same of a line's
 * document where that decides.
 */
export function selectForActions(resource: Resource, { changes, identity: { rights } }: Asking) {
  const compared = (each: Resource) =>
    recordActions.flatMap((action) => (rights ? columnsIn(rights.rule(each, action)) : []));
  const columns = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));
  const own = { id: true, ...(resource.documentLike ? { status: true } : {}), ...columns(compared(resource)) };
  const documents = resource.parents.flatMap(({ field, resource: document }) => {
    const state = changes.locksSubmitted && document.documentLike ? ['status'] : [];
    const names = rights ? ['id', ...state, ...compared(document)] : state;
    return names.length > 0 ? [[field, { select: columns(names) }] as const] : [];
  });
  return { ...own, ...Object.fromEntries(documents) };
}

/** Every action of the record type, in the order of buttons in a form. */
export function actionsOf(resource: Resource, row: Values, asking: Asking): ActionState[] {
  const locked = asking.changes.locksSubmitted ? lockOn(resource, row) : undefined;
  return recordActions
    .filter((action) => resource.operations.includes(action))
    .map((action) => {
      const isMove = action === 'submit' || action === 'cancel';
      const byState = isMove ? actionProblem(action, row.status) : locked;
      const reason =
        byState ?? lackingScope(resource, action, asking.identity) ?? lackingRule(resource, row, action, asking);
      return { action, reason };
    });
}

/** Why the roles of the caller do not allow it with this record, as a sentence. To change a line is to change its document. */
function lackingRule(resource: Resource, row: Values, action: RecordAction, { identity: { rights } }: Asking) {
  if (!rights) return undefined;
  const document = resource.parents.find(({ field }) => isObject(row[field]));
  const parent = document && row[document.field];
  const isAllowed =
    isObject(parent) && document
      ? matches(rights.rule(document.resource, 'update'), parent)
      : matches(rights.rule(resource, action), row) && matches(rights.rule(resource, action), becoming(row, action));
  return isAllowed ? undefined : 'Your roles do not allow it with this record.';
}

/** The record as submitting or cancelling it would make it. */
const becoming = (row: Values, action: RecordAction): Values =>
  action === 'submit' || action === 'cancel' ? { ...row, status: transitions[action].to } : row;

/** Why a record may not be changed where submitted documents are locked, as a sentence. */
function lockOn(resource: Resource, row: Values): string | undefined {
  if (resource.documentLike) return lockProblem(row.status);
  for (const { field, resource: document } of resource.parents) {
    const parent = document.documentLike && row[field];
    const problem = isObject(parent) ? lockProblem(parent.status) : undefined;
    if (problem) return `Of its ${document.title}: ${problem}`;
  }
  return undefined;
}

/** Why the key may not perform the action, as a sentence; undefined if it may. */
export function lackingScope(resource: Resource, action: RecordAction, identity: Identity): string | undefined {
  const missing = requiredScopes(resource, action).filter((scope) => !hasScope(identity, scope));
  if (missing.length === 0) return undefined;
  const who = isPerson(identity.keyId) ? 'Your roles do not give you' : 'This API key lacks';
  return `${who} the scope \`${missing.join('` and `')}\`.`;
}
