/** What a change of one record is, whoever makes it: the columns it sets, and the condition under which it may. */
import type { Resource } from '../model/resource.js';
import type { Values } from './delegate.js';
import { type Action, openStatuses, transitions } from './lifecycle.js';
import { valuesOf } from './values.js';

export interface ChangedRecord {
  resource: Resource;
  id: string;
  /** Fields of the document and their new values. Its version rises by one besides, and it tells the time of the change. */
  values: Values;
  /** The version the caller has seen; undefined where any will do. */
  version?: number | undefined;
  /** The states of which it must have one; undefined where any will do. */
  statuses?: readonly unknown[] | undefined;
}

/** The fields in the input, and nothing else. Setting `status` moves the document as submit and cancel do. */
export function updated(resource: Resource, id: string, input: Values, version?: number): ChangedRecord {
  const values = valuesOf(resource, input);
  return { resource, id, values, version, statuses: openStatuses(resource, values) };
}

export function moved(resource: Resource, id: string, action: Action, version?: number): ChangedRecord {
  const { from, to } = transitions[action];
  return { resource, id, values: { status: to }, version, statuses: [from] };
}
