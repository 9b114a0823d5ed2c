/** The row of a record that brings its id, version and instants with it from elsewhere. */
import type { Values } from '../../model/change.js';
import { firstVersion, type Resource } from '../../model/resource.js';
import type { InsertedRow } from '../step.js';
import { newRow } from '../values.js';

/**
 * The fields of a document, lists of such lines, and what the gateway would give it: `id`, `version`, `createdAt` and
 * `updatedAt` as ISO 8601. All of it has been checked.
 */
export type Brought = Values;

/** The row of a record, or of a line with further columns. */
export function broughtRow(resource: Resource, brought: Brought, more?: Values): InsertedRow {
  const row: InsertedRow = newRow(resource, brought, more);
  if (typeof brought.id === 'string') row.id = brought.id;
  row.version = brought.version ?? firstVersion;
  if (!resource.timestamps) return row;
  const [createdAt, updatedAt] = [instantIn(brought.createdAt), instantIn(brought.updatedAt)];
  // Without the time of its creation, a record is as old as its last change.
  if (createdAt ?? updatedAt) row.createdAt = createdAt ?? updatedAt;
  row.updatedAt = updatedAt ?? createdAt ?? row.updatedAt;
  return row;
}

export const instantIn = (value: unknown): Date | undefined =>
  typeof value === 'string' ? new Date(value) : undefined;
