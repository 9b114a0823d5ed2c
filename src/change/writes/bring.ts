/**
 * Creates documents that bring their ids, versions, states and instants with them from elsewhere; what they do not bring
 * is given to them as to any new record.
 */

import type { Procedure } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import type { Lines, Resource } from '../../model/resource.js';
import { applyPlan } from '../apply-plan.js';
import type { ChangeContext } from '../change-context.js';
import type { Insert, InsertedRow } from '../step.js';
import { charactersIn } from '../written-rows.js';
import { type Brought, broughtRow } from './brought-row.js';
import { ownershipOf } from './new-lines.js';

/** Creates documents of one type with their lines, all or nothing. Ids that are taken make the database refuse all. */
export function* bringRecords(
  writing: ChangeContext,
  resource: Resource,
  documents: readonly Brought[],
): Procedure<void> {
  const rows = documents.map((document) => broughtRow(resource, document));
  const versions = new Map(rows.map(({ id, version }) => [id, Number(version)]));
  const steps: Insert[] = [{ kind: 'insert', resource, rows, versions }];
  for (const lines of resource.lines) {
    const brought = documents.flatMap((document, index) => broughtLines(resource, lines, rows[index], document));
    const at = (row: number) => [lines.field, Number(brought[row]?.idx) - 1];
    if (brought.length > 0) steps.push({ kind: 'insert', resource: lines.resource, rows: brought, versions, at });
  }
  for (const plan of plansOf(steps)) {
    // Each is a plan of its own: how much a request may write says nothing about how large a document may be.
    yield* applyPlan({ ...writing, written: { rows: 0, characters: 0 } }, { steps: plan });
  }
}

function broughtLines(
  parent: Resource,
  { resource, field }: Lines,
  row: InsertedRow | undefined,
  document: Brought,
): InsertedRow[] {
  const list = document[field];
  if (!row || !Array.isArray(list)) return [];
  const owned = ownershipOf(parent, resource, row.id);
  return list.map((line: Values, index) => broughtRow(resource, line, { ...owned, idx: index + 1 }));
}

/** The most rows and characters of a plan, so that no statement is too large; only a document alone may have more. */
const most = { rows: 5_000, characters: 4_000_000 };

/** All steps as one plan, or where that is too much, as plans of some rows of one step each. */
function* plansOf(steps: readonly Insert[]): Generator<Insert[]> {
  const sizes = steps.map(({ rows }) => rows.map(charactersIn));
  const characters = sizes.flat().reduce((sum, size) => sum + size, 0);
  const count = steps.reduce((sum, { rows }) => sum + rows.length, 0);
  if (count <= most.rows && characters <= most.characters) {
    yield [...steps];
    return;
  }
  for (const [index, step] of steps.entries()) {
    let from = 0;
    let size = 0;
    for (const place of step.rows.keys()) {
      const more = sizes[index]?.[place] ?? 0;
      if (place > from && (place - from === most.rows || size + more > most.characters)) {
        yield [part(step, from, place)];
        [from, size] = [place, 0];
      }
      size += more;
    }
    if (from < step.rows.length) yield [part(step, from)];
  }
}

function part({ at, ...step }: Insert, from: number, to?: number): Insert {
  return { ...step, rows: step.rows.slice(from, to), ...(at && { at: (row) => at(from + row) }) };
}
