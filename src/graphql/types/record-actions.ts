/** What may be done with a record, and why not, by its state and by the caller's key. */

import type { Identity, RequestContext } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import type { Values } from '../../model/change.js';
import { actionProblem, lockProblem } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';
import { hasScope, requiredScopes } from '../../model/scopes.js';
import { perBuilder } from '../per-builder.js';
import { type RecordAction, recordAction, recordActions } from './record-action-type.js';

export interface ActionState {
  action: RecordAction;
  /** Undefined if the action is allowed. */
  reason: string | undefined;
}

/** The type of the field `actions`. */
export const actionState = perBuilder((builder) =>
  builder.objectRef<ActionState>('RecordActionState').implement({
    description: 'Whether something can be done with a record as it is now, by the key that asks.',
    fields: (t) => ({
      action: t.field({
        type: recordAction(builder),
        description: 'What is to be done.',
        resolve: ({ action }) => action,
      }),
      allowed: t.boolean({ description: 'Whether it can be.', resolve: ({ reason }) => reason === undefined }),
      reason: t.string({
        nullable: true,
        description: 'Why it cannot be, as a sentence for people; null where it can.',
        resolve: ({ reason }) => reason,
      }),
    }),
  }),
);

type Asking = Pick<RequestContext, 'identity' | 'changes'>;

/**
 * Selects what decides about the actions of a record: its state, and that of a line's document where submitted
 * documents are locked.
 */
export function selectForActions(resource: Resource, { changes }: Pick<Asking, 'changes'>) {
  if (resource.documentLike) return { status: true };
  const documents = changes.locksSubmitted ? documentsOf(resource) : [];
  return { id: true, ...Object.fromEntries(documents.map(({ field }) => [field, { select: { status: true } }])) };
}

const documentsOf = ({ parents }: Resource) => parents.filter(({ resource }) => resource.documentLike);

/** Every action of the record type, in the order of buttons in a form. */
export function actionsOf(resource: Resource, row: Values, asking: Asking): ActionState[] {
  const locked = asking.changes.locksSubmitted ? lockOn(resource, row) : undefined;
  return recordActions
    .filter((action) => resource.operations.includes(action))
    .map((action) => {
      const isMove = action === 'submit' || action === 'cancel';
      const byState = isMove ? actionProblem(action, row.status) : locked;
      return { action, reason: byState ?? lackingScope(resource, action, asking.identity) };
    });
}

/** Why a record may not be changed where submitted documents are locked, as a sentence. */
function lockOn(resource: Resource, row: Values): string | undefined {
  if (resource.documentLike) return lockProblem(row.status);
  for (const { field, resource: document } of documentsOf(resource)) {
    const parent = row[field];
    const problem = isObject(parent) ? lockProblem(parent.status) : undefined;
    if (problem) return `Of its ${document.title}: ${problem}`;
  }
  return undefined;
}

/** Why the key may not perform the action, as a sentence; undefined if it may. */
export function lackingScope(resource: Resource, action: RecordAction, identity: Identity): string | undefined {
  const missing = requiredScopes(resource, action).filter((scope) => !hasScope(identity, scope));
  return missing.length > 0 ? `This API key lacks the scope \`${missing.join('` and `')}\`.` : undefined;
}
