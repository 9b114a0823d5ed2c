/** What has to be done with the lines of a parent so that they become the lines that are wanted, in their order. */
import type { Problem } from '../errors.js';
import { Prisma } from '../generated/sqlite/client.js';
import type { Lines, Resource } from '../model/resource.js';
import type { RowChange } from './change-many.js';
import type { Row, Values } from './delegate.js';
import { birthValues, completeValuesOf, valuesOf } from './values.js';

export interface LinePlan {
  child: Resource;
  create: Values[];
  /** Lines to write, because a field or only their place changes. */
  change: RowChange[];
  remove: string[];
  summary: LineChanges;
  problems: Problem[];
}

/** What becomes of the lines of one list. */
export interface LineChanges {
  /** The list's field on the parent, `consumedItems`. */
  list: string;
  created: number;
  /** Lines of which a field changes. */
  updated: string[];
  /** Lines of which only the place changes. */
  moved: string[];
  deleted: string[];
}

/**
 * Compares the lines `present` with those `wanted`: one with an `id` stays and is changed where it differs, one without
 * is new, one that is not named goes. Lines that stay as they are, are not written.
 */
export function planLines(
  parent: Resource,
  { resource: child, field }: Lines,
  present: Row[],
  wanted: Values[],
): LinePlan {
  const left = new Map(present.map((row) => [row.id, row]));
  const places = new Map<string, number>();
  const plan: LinePlan = {
    child,
    create: [],
    change: [],
    remove: [],
    summary: { list: field, created: 0, updated: [], moved: [], deleted: [] },
    problems: [],
  };

  wanted.forEach(({ id, ...line }, index) => {
    const path = ['input', field, index];
    const idx = index + 1;
    if (typeof id !== 'string') {
      plan.problems.push(...missingFields(child, line, path));
      plan.create.push({ ...completeValuesOf(child, line), ...birthValues(child), idx });
      return;
    }
    const row = left.get(id);
    const problem = row ? undefined : notALine(parent, id, field, places.get(id));
    if (problem) plan.problems.push({ ...problem, path: [...path, 'id'] });
    places.set(id, index);
    if (!row) return;
    left.delete(id);
    const values = differences(row, valuesOf(child, line));
    if (Object.keys(values).length > 0) plan.summary.updated.push(id);
    else if (row.idx !== idx) plan.summary.moved.push(id);
    else return;
    plan.change.push({ id, values: row.idx === idx ? values : { ...values, idx } });
  });

  plan.remove = [...left.keys()];
  plan.summary.created = plan.create.length;
  plan.summary.deleted = plan.remove;
  return plan;
}

/** The values that are not yet in the row. */
export function differences(row: Row, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !Object.is(plain(value), row[name])));
}

const plain = (value: unknown): unknown => (value instanceof Prisma.Decimal ? value.toNumber() : value);

/** What a new line lacks; of a line that is there every field may be left out. */
function missingFields({ fields, scope }: Resource, line: Values, path: Problem['path']): Problem[] {
  const given = new Set([scope, 'idx', 'parentType']);
  return fields
    .filter(({ name, required }) => required && !given.has(name) && line[name] === undefined)
    .map(({ name }) => ({ path: [...path, name], code: 'parameter_missing', message: 'is required of a new line' }));
}

function notALine({ title }: Resource, id: string, list: string, place?: number): Omit<Problem, 'path'> {
  if (place !== undefined)
    return { code: 'parameter_invalid', message: `names the same line as \`${list}[${place}]\`` };
  const message = `names no line of this ${title}: it has none with the id ${JSON.stringify(id)}`;
  return { code: 'resource_missing', message };
}
