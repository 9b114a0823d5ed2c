/**
 * Creates documents that bring their ids, versions, states and instants with them from elsewhere; what they do not bring
 * is given to them as to any new record.
 */
import type { Procedure } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import type { Values } from '../../model/change.js';
import { authorColumns, firstVersion, type Lines, type Resource } from '../../model/resource.js';
import { applyPlan, charactersIn } from '../apply-plan.js';
import type { ChangeContext } from '../context.js';
import type { Insert, InsertedRow, RowUpdate, Step } from '../plan.js';
import { parentOf } from '../statements/stored-record.js';
import { newRow, ownershipOf } from '../values.js';
import { linesWithParent } from './line.js';

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
  return list.map((line: Values, index) => broughtRow(resource, line, { idx: index + 1, ...owned }));
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

// Creates lines that bring their ids and versions with them, under a parent that has been there before or is not stored here.

/** Puts each line at its `idx`, or after all others; existing lines move down. */
export function* bringLines(
  writing: ChangeContext,
  resource: Resource,
  parentId: string,
  lines: readonly Brought[],
): Procedure<void> {
  for (;;) {
    const parent = yield* parentOf(writing.provider, resource, parentId, true);
    if (!parent) throw new Error('A parent that need not exist always has a state');
    const places = (yield* linesWithParent(writing.provider, resource, parentId))?.places ?? new Map<string, number>();
    const order: (string | Brought)[] = [...places.keys()];
    for (const line of lines.toSorted((one, other) => placeOf(one) - placeOf(other))) {
      order.splice(Math.min(placeOf(line) - 1, order.length), 0, line);
    }
    const link = resource.parents.find((candidate) => candidate.resource === parent.resource);
    const owned = link ? { [link.reference]: parentId } : {};
    const moved: RowUpdate[] = [];
    const rows: InsertedRow[] = [];
    for (const [index, each] of order.entries()) {
      const idx = index + 1;
      if (typeof each !== 'string') rows.push(broughtRow(resource, each, { parentId, idx, ...owned }));
      else if (places.get(each) !== idx) moved.push({ id: each, values: { idx } });
    }
    yield* raiseAboveDeleted(writing.provider, parentId, rows);
    const steps: Step[] = [{ kind: 'raise', ...parent }];
    if (moved.length > 0) steps.push({ kind: 'update', resource, rows: moved, action: 'move' });
    steps.push({ kind: 'insert', resource, rows, versions: new Map() });
    const ofItsOwn = { ...writing, written: { rows: 0, characters: 0 } };
    if (yield* applyPlan(ofItsOwn, { steps })) return;
  }
}

const placeOf = ({ idx }: Brought): number => (typeof idx === 'number' ? idx : Number.MAX_SAFE_INTEGER);

/**
 * Raises the versions of lines that the journal knows as deleted from this document above those they had: an ETag names a
 * version, and must never name two contents.
 */
export function* raiseAboveDeleted(provider: Provider, documentId: string, rows: Insert['rows']): Procedure<void> {
  if (rows.length === 0) return;
  const text = new StatementBuilder(provider);
  const sql = `SELECT "recordId", max("version") FROM "JournalEntry" WHERE "documentId" = ${text.bind(documentId)}
    AND "action" = 'delete' AND "recordId" ${text.among(rows.map(({ id }) => id))} GROUP BY "recordId"`;
  const last = new Map((yield text.statement(sql)).map(([id, version]) => [String(id), Number(version)]));
  for (const row of rows) row.version = Math.max(Number(row.version), (last.get(row.id) ?? 0) + 1);
}

/**
 * The fields of a document, lists of such lines, and what the gateway would give it: `id`, `version`, `createdAt` and
 * `updatedAt` as ISO 8601, `createdBy` and `updatedBy`. All of it has been checked.
 */
type Brought = Values;

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
  for (const name of authorColumns) row[name] = brought[name] ?? null;
  return row;
}

export const instantIn = (value: unknown): Date | undefined =>
  typeof value === 'string' ? new Date(value) : undefined;
