/**
 * UPDATE of rows of one table. The condition is part of the statement, so exactly one of several concurrent writers
 * wins. A row that already has the values is not written and keeps its version.
 */
import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { StatementBuilder } from './statement-builder.js';

export interface RowUpdate {
  id: string;
  /** The fields to set; all others stay unchanged. */
  values: Values;
  /** The version the row must have. */
  version?: number | null | undefined;
  /** The states the row may have, two at most. */
  statuses?: readonly string[] | undefined;
}

export interface Update {
  kind: 'update';
  resource: Resource;
  rows: readonly RowUpdate[];
  /** What the caller does: submit and cancel set only `status`. */
  action: 'update' | 'submit' | 'cancel';
  /** Raises the version of the only row even if its fields stay the same, because its lines change. */
  raises?: boolean;
  /** The name of the list whose items the rows are; undefined for a single record. */
  items?: string;
  /** The path of a row's values in the input, for problems of rules. */
  at?: (row: number) => (string | number)[];
}

/** The statement for one row, without RETURNING. */
export function updateOne(
  text: StatementBuilder,
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

export function raised(text: StatementBuilder, { model, timestamps }: Resource, now: Date): string[] {
  const version = `"version" = "${model}"."version" + 1`;
  if (!timestamps) return [version];
  // The time was taken before the row was locked: another writer may have been there with a later one.
  const later = text.provider === 'sqlite' ? 'max' : 'greatest';
  return [`"updatedAt" = ${later}("${model}"."updatedAt", ${text.bind(now)})`, version];
}
