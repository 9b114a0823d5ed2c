/**
 * UPDATE of rows of one table. The condition of each is in the statement, so of many racing writers exactly one wins; a row
 * that has the values already is not written, so its version stays.
 */
import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { Text } from './text.js';

export interface RowUpdate {
  id: string;
  /** Fields and the values they are to have; the others stay as they are. */
  values: Values;
  /** The version the row must have. */
  version?: number | null | undefined;
  /** The states of which the row must have one, two at most. */
  statuses?: readonly string[] | undefined;
}

export interface Update {
  kind: 'update';
  resource: Resource;
  rows: readonly RowUpdate[];
  /** What the caller does: a submit or a cancel sets `status` alone. */
  action: 'update' | 'submit' | 'cancel';
  /** Raises the version of the only row also where its fields stay as they are: its lines change. */
  raises?: boolean;
  /** The name of the list whose items the rows are; undefined where the caller names one record. */
  items?: string;
  /** Where the values stand in the input, for the problems that rules find. */
  at?: (row: number) => (string | number)[];
}

/** The statement for one row, without its RETURNING. */
export function updateOne(
  text: Text,
  { resource, raises }: Update,
  row: RowUpdate,
  now: Date,
  further?: string,
): string {
  const { id, values, version, statuses } = row;
  const names = Object.keys(values);
  const set = names.map((name) => `"${name}" = ${text.bind(values[name])}`);
  set.push(...raised(text, resource, now));
  const conditions = [`"id" = ${text.bind(id)}`];
  if (version != null) conditions.push(`"version" = ${text.bind(version)}`);
  if (statuses) conditions.push(`"status" IN (${statuses.map((status) => text.bind(status)).join(', ')})`);
  if (!raises) {
    conditions.push(`(${names.map((name) => `"${name}" IS DISTINCT FROM ${text.bind(values[name])}`).join(' OR ')})`);
  }
  if (further) conditions.push(further);
  return `UPDATE "${resource.model}" SET ${set.join(', ')} WHERE ${conditions.join(' AND ')}`;
}

export function raised(text: Text, { model, timestamps }: Resource, now: Date): string[] {
  const version = `"version" = "${model}"."version" + 1`;
  if (!timestamps) return [version];
  // The time was taken before the row was locked: another writer may have been there with a later one.
  const later = text.provider === 'sqlite' ? 'max' : 'greatest';
  return [`"updatedAt" = ${later}("${model}"."updatedAt", ${text.bind(now)})`, version];
}
