/** What may be done with a record, and why not, by its state and by the caller's key. */
import { hasScope, requiredScopes } from '../../access/scopes.js';
import type { Identity } from '../../context.js';
import type { Resource } from '../../model/resource.js';
import { actionProblem } from '../../records/lifecycle.js';
import { perBuilder } from '../per-builder.js';

const actions = ['update', 'submit', 'cancel', 'delete'] as const;
export type RecordAction = (typeof actions)[number];

interface ActionState {
  action: RecordAction;
  /** Undefined if the action is allowed. */
  reason: string | undefined;
}

const recordAction = perBuilder((builder) =>
  builder.enumType('RecordAction', {
    description: 'What can be done with a record as a whole.',
    values: {
      update: { description: 'Changing its fields and its lines.' },
      submit: { description: 'Moving it from draft to submitted.' },
      cancel: { description: 'Moving it from submitted to cancelled.' },
      delete: { description: 'Removing it and its lines for good.' },
    },
  }),
);

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

/** Every action of the record type, in the order of buttons in a form. */
export function actionsOf(resource: Resource, status: unknown, identity: Identity): ActionState[] {
  return actions
    .filter((action) => resource.operations.includes(action))
    .map((action) => ({ action, reason: reasonAgainst(resource, action, status, identity) }));
}

function reasonAgainst(
  resource: Resource,
  action: RecordAction,
  status: unknown,
  identity: Identity,
): string | undefined {
  const byState = action === 'submit' || action === 'cancel' ? actionProblem(action, status) : undefined;
  return byState ?? lackingScope(resource, action, identity);
}

/** Why the key may not perform the action, as a sentence; undefined if it may. */
export function lackingScope(resource: Resource, action: RecordAction, identity: Identity): string | undefined {
  const missing = requiredScopes(resource, action).filter((scope) => !hasScope(identity, scope));
  return missing.length > 0 ? `This API key lacks the scope \`${missing.join('` and `')}\`.` : undefined;
}
