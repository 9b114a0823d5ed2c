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
  locked?: Locked | undefined;
  /** What it gets in place of the next version and the time of the change; of a single row only. */
  becomes?: Becomes | undefined;
}

/**
 * What a document keeps unless it is a draft: `fields` all of them but its status, `whole` everything, because its lines
 * change or it would be deleted.
 */
export type Locked = 'fields' | 'whole';

/** The version and times that an imported record brings with it. */
export interface Becomes {
  version: unknown;
  createdAt: Date | undefined;
  updatedAt: Date | undefined;
}

export interface Update {
  kind: 'update';
  resource: Resource;
  rows: readonly RowUpdate[];
  /**
   * What the caller does: submit and cancel set only `status`; move only `idx`, of lines behind a new one, about which no rule
   * is asked.
   */
  action: 'update' | 'submit' | 'cancel' | 'move';
  /** Raises the version of the only row even if its fields stay the same, because its lines change. */
  raises?: boolean;
  /** The name of the list whose items the rows are; undefined for a single record. */
  items?: string;
  /** The path of a row's values in the input, for problems of rules. */
  at?: (row: number) => (string | number)[];
}

/** The update that only raises a document's version, because its lines change. */
export const raising = (
  resource: Resource,
  { id, version, locked }: Pick<RowUpdate, 'id' | 'version' | 'locked'>,
): Update => ({
  kind: 'update',
  resource,
  rows: [{ id, values: {}, version, locked }],
  action: 'update',
  raises: true,
});

/** Further parts of a statement, besides the values that it writes. */
export interface Further {
  /** SQL that finds the id of the row, where it is not known. */
  id?: string | undefined;
  /** A table that is joined with the row. */
  from?: string;
  /** A condition on the row, and on that table. */
  condition?: string;
}

/** The statement for one row, without RETURNING. */
export function updateOne(
  text: StatementBuilder,
  update: Update,
  row: RowUpdate,
  now: Date,
  { id, from, condition }: Further = {},
): string {
  const { resource } = update;
  const bound = (name: string, value: unknown) => text.bindColumn(resource.model, name, value);
  const set = Object.entries(row.values).map(([name, value]) => `"${name}" = ${bound(name, value)}`);
  set.push(...(row.becomes ? brought(text, row.becomes) : raised(text, resource, now)));
  const conditions = conditionsOfOne(text, update, row, id);
  if (condition) conditions.push(condition);
  const source = from ? ` FROM ${from}` : '';
  return `UPDATE "${resource.model}" SET ${set.join(', ')}${source} WHERE ${conditions.join(' AND ')}`;
}

/** The conditions under which one row is written. */
export function conditionsOfOne(
  text: StatementBuilder,
  { raises, resource }: Pick<Update, 'raises' | 'resource'>,
  { id, values, version, statuses, locked }: RowUpdate,
  found?: string,
): string[] {
  const bound = (name: string, value: unknown) => text.bindColumn(resource.model, name, value);
  const conditions = [`"id" = ${found ?? bound('id', id)}`];
  if (version != null) conditions.push(`"version" = ${bound('version', version)}`);
  if (statuses) conditions.push(`"status" IN (${statuses.map((status) => text.bind(status)).join(', ')})`);
  const kept = locked === 'fields' ? Object.entries(values).filter(([name]) => name !== 'status') : [];
  if (locked === 'whole') conditions.push(isDraft);
  if (kept.length > 0) {
    const same = kept.map(([name, value]) => `"${name}" IS NOT DISTINCT FROM ${bound(name, value)}`);
    conditions.push(`(${isDraft} OR (${same.join(' AND ')}))`);
  }
  if (!raises) {
    const differs = Object.entries(values).map(([name, value]) => `"${name}" IS DISTINCT FROM ${bound(name, value)}`);
    conditions.push(`(${differs.join(' OR ')})`);
  }
  return conditions;
}

/** The condition that a document is neither submitted nor cancelled. */
export const isDraft = `"status" = 'draft'`;

export function raised(text: StatementBuilder, { model, timestamps }: Resource, now: Date): string[] {
  const version = `"version" = "${model}"."version" + 1`;
  if (!timestamps) return [version];
  // The time was taken before the row was locked: another writer may have been there with a later one.
  const later = text.provider === 'sqlite' ? 'max' : 'greatest';
  return [`"updatedAt" = ${later}("${model}"."updatedAt", ${text.bindColumn(model, 'updatedAt', now)})`, version];
}

function brought(text: StatementBuilder, becomes: Becomes): string[] {
  const given = Object.entries(becomes).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `"${name}" = ${text.bind(value)}`);
}
