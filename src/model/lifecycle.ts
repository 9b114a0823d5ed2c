/**
 * The lifecycle draft → submitted → cancelled, by submit, by cancel, or by an update of `status`; all three use the
 * same conditional update.
 */
import type { Values } from './change.js';
import { errors } from './errors/errors.js';
import { enumName } from './names.js';
import type { Resource } from './resource.js';

export const actions = ['submit', 'cancel'] as const;
export type Action = (typeof actions)[number];

export const transitions = {
  submit: { from: 'draft', to: 'submitted' },
  cancel: { from: 'submitted', to: 'cancelled' },
} as const satisfies Record<Action, { from: Status; to: Status }>;

/** Why a document in this state is not changed where submitted documents are locked, as a sentence; undefined if it may be. */
export function lockProblem(status: unknown): string | undefined {
  if (status === 'draft') return undefined;
  const way = allowedActions(status).includes('cancel') ? 'it can only be cancelled' : 'that is its final state';
  return `It is ${status}, and submitted documents are locked here; ${way}.`;
}

export function allowedActions(status: unknown): Action[] {
  return actions.filter((action) => transitions[action].from === status);
}

/** Why a record in this state cannot be submitted or cancelled, as a sentence; undefined if it can. */
export function actionProblem(action: Action, status: unknown): string | undefined {
  const { from, to } = transitions[action];
  if (status === from) return undefined;
  if (status === to) return `It is ${to} already.`;
  return status === 'draft' ? `It is a draft; only what is ${from} can be ${to}.` : `It is ${status}, its final state.`;
}

/** The action that leads to `status`; undefined if there is none. */
export const actionTo = (status: unknown): Action | undefined =>
  actions.find((action) => transitions[action].to === status);

/** The state from which `status` is reached; undefined if there is none. */
const precedingState = (status: unknown): Status | undefined =>
  Object.values(transitions).find(({ to }) => to === status)?.from;

/** The states in which an update may set its `status`: the preceding state, or the same one. */
export function openStatuses({ documentLike }: Resource, { status }: Values): string[] | undefined {
  if (!documentLike || status === undefined) return undefined;
  return [precedingState(status) ?? String(status), String(status)];
}

/** The error for a document that is submitted or cancelled where such documents are locked. */
export const refusedByLock = ({ title }: Resource, current: unknown): Error =>
  errors.locked({ title, current: String(current), expected: 'draft', allowed: allowedActions(current) });

/** The error for a record whose current state does not lead to `target`. */
export const refused = (resource: Resource, target: unknown, current: unknown): Error =>
  errors.invalidState({
    title: resource.title,
    target: String(target),
    current: String(current),
    expected: precedingState(target) ?? 'draft',
    allowed: allowedActions(current),
  });

/** The states of documents: as they are stored and as REST shows them. GraphQL names them by `enumName`. */
export const statuses = ['draft', 'submitted', 'cancelled'] as const;
export type Status = (typeof statuses)[number];

export const isStatus = (text: unknown): text is Status => statuses.some((status) => status === text);

/** Whether the field is the state of a document. The status of a Serial No is a text like any other. */
export const isDocumentStatus = ({ documentLike }: Pick<Resource, 'documentLike'>, field: string): boolean =>
  documentLike && field === 'status';

/** A stored value of the field as GraphQL shows it: a state by its name, everything else as it is. */
export const shownInGraphql = (resource: Pick<Resource, 'documentLike'>, field: string, stored: unknown): unknown =>
  isDocumentStatus(resource, field) && isStatus(stored) ? enumName(stored) : stored;
