/**
 * draft → submitted → cancelled (document 3), by submit, by cancel, and by a PATCH that sets `status`: all three take
 * the same conditional update.
 */
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import type { Resource } from '../model/resource.js';
import { type Condition, changeRecord } from './change.js';
import type { Row, Selection, Values } from './delegate.js';

export const statuses = ['draft', 'submitted', 'cancelled'] as const;
export type Status = (typeof statuses)[number];

export const actions = ['submit', 'cancel'] as const;
export type Action = (typeof actions)[number];

export const transitions = {
  submit: { from: 'draft', to: 'submitted' },
  cancel: { from: 'submitted', to: 'cancelled' },
} as const satisfies Record<Action, { from: Status; to: Status }>;

/** What can be done with a record in this state, apart from editing and deleting it. */
export function allowedActions(status: unknown): Action[] {
  return actions.filter((action) => transitions[action].from === status);
}

/** Why a record in this state cannot be submitted or cancelled, as a sentence; undefined where it can. */
export function obstacle(action: Action, status: unknown): string | undefined {
  const { from, to } = transitions[action];
  if (status === from) return undefined;
  if (status === to) return `It is ${to} already.`;
  return status === 'draft' ? `It is a draft; only what is ${from} can be ${to}.` : `It is ${status}, its final state.`;
}

/** Submits or cancels. @throws NOT_FOUND, INVALID_STATE, VERSION_CONFLICT */
export function move(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  id: string,
  action: Action,
  selection: Selection,
  version?: number,
): Promise<Row> {
  const { from, to } = transitions[action];
  return database.transaction((tx) =>
    changeRecord(
      tx,
      resource,
      id,
      { status: to },
      selection,
      { version, where: { status: from } },
      refused(resource, to),
    ),
  );
}

/** The state that leads to `status`; undefined where none does. */
export const originOf = (status: unknown): Status | undefined =>
  Object.values(transitions).find(({ to }) => to === status)?.from;

/** The condition under which an update may set the status it sets: the move to it is open, or it is there already. */
export function statusCondition(resource: Resource, { status }: Values): Pick<Condition, 'where'> {
  if (!resource.documentLike || status === undefined) return {};
  const origin = originOf(status);
  return { where: { status: { in: origin ? [origin, status] : [status] } } };
}

/** The error for a record whose present state does not lead to `target`. */
export const refused =
  (resource: Resource, target: unknown) =>
  (current: Row): Error =>
    errors.invalidState({
      title: resource.title,
      target: String(target),
      current: String(current.status),
      expected: originOf(target) ?? 'draft',
      allowed: allowedActions(current.status),
    });
