/** Plans how to turn the existing lines of a parent into the wanted ones, in their order. */

import type { Values } from '../../model/change.js';
import { quotedId } from '../../model/errors/gateway-error.js';
import type { Problem } from '../../model/errors/problem.js';
import type { Lines, Resource } from '../../model/resource.js';
import type { RowUpdate, Step } from '../plan.js';
import type { StoredRecord } from '../statements/stored-record.js';
import { differences, newRow, valuesOf } from '../values.js';
import { broughtRow } from './bring.js';
import { ownershipOf } from './record.js';

/** The changes to the lines of one list. */
export interface LineChanges {
  /** The list's field on the parent, such as `consumedItems`. */
  list: string;
  created: number;
  /** Lines with changed fields. */
  updated: string[];
  /** Lines with only a changed position. */
  moved: string[];
  deleted: string[];
}

export interface LinePlan {
  steps: Step[];
  summary: LineChanges;
  problems: Problem[];
}

/**
 * Compares the existing lines with the wanted ones: a line with an `id` is changed where it differs, one without is
 * new, and one that is missing is deleted. Unchanged lines are not written. If it `bringsLines`, one with an id that is
 * not there is new, too, and keeps that id.
 */
export function planLines(
  parent: Resource,
  parentId: string,
  { resource: child, field }: Lines,
  present: readonly StoredRecord[],
  wanted: readonly Values[],
  bringsLines = false,
): LinePlan {
  const left = new Map(present.map((line) => [line.id, line]));
  const named = new Map<string, number>();
  const owned = ownershipOf(parent, child, parentId);
  const problems: Problem[] = [];
  const created: (Values & { id: string })[] = [];
  const changed: RowUpdate[] = [];
  // The input index of each row in the steps.
  const places: { created: number[]; changed: number[] } = { created: [], changed: [] };
  const summary: LineChanges = { list: field, created: 0, updated: [], moved: [], deleted: [] };

  for (const [index, line] of wanted.entries()) {
    const { id } = line;
    const path = ['input', field, index];
    if (typeof id !== 'string' || (bringsLines && !left.has(id) && !named.has(id))) {
      if (typeof id === 'string') named.set(id, index);
      const missing = missingFields(child, line, path);
      problems.push(...missing);
      // Rules are not asked about a line that is incomplete.
      if (missing.length > 0) continue;
      const place = { ...owned, idx: index + 1 };
      created.push(bringsLines ? broughtRow(child, line, place) : newRow(child, line, place));
      places.created.push(index);
      continue;
    }
    const row = left.get(id);
    const problem = row ? undefined : notALine(parent, id, field, named.get(id));
    if (problem) problems.push({ ...problem, path: [...path, 'id'] });
    named.set(id, index);
    if (!row) continue;
    left.delete(id);
    const given = valuesOf(child, line);
    given.idx = index + 1;
    const values = differences(row.values, given);
    const names = Object.keys(values);
    if (names.length === 0) continue;
    if (names.length === 1 && names[0] === 'idx') summary.moved.push(id);
    else summary.updated.push(id);
    changed.push({ id, values });
    places.changed.push(index);
  }

  const removed = [...left.keys()].map((id) => ({ id }));
  summary.created = created.length;
  summary.deleted = removed.map(({ id }) => id);
  const at = (of: readonly number[]) => (row: number) => ['input', field, of[row] ?? 0];
  const steps: Step[] = [
    { kind: 'remove', resource: child, rows: removed },
    { kind: 'update', resource: child, rows: changed, action: 'update', at: at(places.changed) },
    {
      kind: 'insert',
      resource: child,
      rows: created,
      at: at(places.created),
      ...(bringsLines ? { versions: new Map() } : {}),
    },
  ];
  return { steps: steps.filter((step) => 'rows' in step && step.rows.length > 0), summary, problems };
}

/** The missing fields of a new line; an existing line may leave out every field. */
export function missingFields({ fields, scope }: Resource, line: Values, path: Problem['path']): Problem[] {
  const given = new Set([scope, 'idx', 'parentType']);
  return fields
    .filter(({ name, required }) => required && !given.has(name) && line[name] === undefined)
    .map(({ name }) => ({ path: [...path, name], code: 'parameter_missing', message: 'is required of a new line' }));
}

function notALine({ title }: Resource, id: string, list: string, place?: number): Omit<Problem, 'path'> {
  if (place !== undefined)
    return { code: 'parameter_invalid', message: `names the same line as \`${list}[${place}]\`` };
  const message = `names no line of this ${title}: it has none with the id ${quotedId(id)}`;
  return { code: 'resource_missing', message };
}
