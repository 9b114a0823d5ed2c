/** `AssetRepairFilter`: a condition on every field, on the lines and on the parent, joined by and, or, not. */
import type { InputFieldMap, InputRef } from '@pothos/core';
import { type Resource, resources } from '../model/resource.js';
import type { Filter } from '../records/filter.js';
import { builder } from './builder.js';
import { type Column, columnsOf } from './columns.js';
import { constrained } from './constraint.js';

type Comparable = Column['type'];
type InputFields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]['fields']>>[0];

/** Values compared with in one filter; beyond that a request is better split. */
export const mostOperands = 1000;
/** Conditions side by side in one `and` or `or`. */
export const mostAlternatives = 50;
/**
 * Objects in one filter, at any depth, of which a condition takes two: SQLite follows no more than 1,000 conditions, and
 * the time to plan a query grows with their square.
 */
export const mostObjects = 300;

/** What bounds an argument that holds a filter, whatever it filters. */
export const filterBounds = constrained({ mostObjects, mostValues: mostOperands });

const noNull = 'leave it out, or ask with `isNull`';

const comparisons: Record<Comparable, InputRef<Filter>> = {
  String: comparison('String'),
  ID: comparison('ID'),
  Float: comparison('Float'),
  Int: comparison('Int'),
  Boolean: comparison('Boolean'),
  DateTime: comparison('DateTime'),
};

const filters = new Map<Resource, InputRef<Filter>>(resources.map((resource) => [resource, filterType(resource)]));
const linesFilters = new Map<Resource, InputRef<Filter>>(
  resources.filter(({ parents }) => parents.length > 0).map((resource) => [resource, linesFilterType(resource)]),
);

/** The conditions that can be put on one value of a type. */
export const comparisonOf = (type: Comparable): InputRef<Filter> => comparisons[type];

/** The filter input of a resource, for arguments that choose among its records. */
export function filterOf(resource: Resource): InputRef<Filter> {
  const filter = filters.get(resource);
  if (!filter) throw new Error(`${resource.model} has no filter`);
  return filter;
}

function filterType(resource: Resource): InputRef<Filter> {
  return builder.inputType(`${resource.model}Filter`, {
    description: `Which records to take of ${resource.title}. Conditions side by side must all hold.`,
    fields: (t) => ({
      and: t.field({
        type: [filterOf(resource)],
        description: 'All of these must hold.',
        ...constrained({ maximumLength: mostAlternatives }),
      }),
      or: t.field({
        type: [filterOf(resource)],
        description: 'At least one of these must hold.',
        ...constrained({ maximumLength: mostAlternatives }),
      }),
      not: t.field({ type: filterOf(resource), description: 'This must not hold.' }),
      ...fieldConditions(t, resource),
      ...relationConditions(t, resource),
    }),
  });
}

function fieldConditions(t: InputFields, resource: Resource): InputFieldMap {
  return Object.fromEntries(
    columnsOf(resource).map(({ name, type, description }) => [
      name,
      t.field({ type: comparisonOf(type), description }),
    ]),
  );
}

function relationConditions(t: InputFields, { lines, parents }: Resource): InputFieldMap {
  return Object.fromEntries([
    ...lines.map(({ field, resource, description }) => {
      const type = linesFilters.get(resource);
      if (!type) throw new Error(`${resource.model} has no filter for lines`);
      return [field, t.field({ type, description })];
    }),
    ...parents.map(({ field, resource }) => [
      field,
      t.field({ type: filterOf(resource), description: `The ${resource.title} the line belongs to is like this.` }),
    ]),
  ]);
}

function linesFilterType(resource: Resource): InputRef<Filter> {
  return builder.inputType(`${resource.model}LinesFilter`, {
    description: `A condition on the lines of a record, each of them ${resource.title}.`,
    fields: (t) => ({
      some: t.field({ type: filterOf(resource), description: 'At least one line is like this.' }),
      every: t.field({
        type: filterOf(resource),
        description: 'Each line is like this; also where there are no lines.',
      }),
      none: t.field({ type: filterOf(resource), description: 'No line is like this; nor where there are no lines.' }),
    }),
  });
}

function comparison(type: Comparable): InputRef<Filter> {
  const one = (description: string) => ({ type, description, ...constrained({ notNull: noNull }) });
  const several = (description: string) => ({
    type: [type] as [Comparable],
    description,
    ...constrained({ notNull: noNull, maximumLength: mostOperands }),
  });
  const isOrdered = type !== 'Boolean';
  const order = type === 'String' || type === 'ID' ? ', in the order of the Unicode code points' : '';
  return builder.inputType(`${type}Comparison`, {
    description:
      'Conditions on one value; side by side all must hold. Null equals nothing and is neither less nor greater.',
    fields: (t) => ({
      eq: t.field(one('Equals this.')),
      ne: t.field(one('Does not equal this; also where there is no value.')),
      ...(isOrdered
        ? {
            in: t.field(several(`Equals one of these, ${mostOperands} at most.`)),
            notIn: t.field(several('Equals none of these; also where there is no value.')),
            lt: t.field(one(`Less than this${order}.`)),
            lte: t.field(one(`Less than or equal to this${order}.`)),
            gt: t.field(one(`Greater than this${order}.`)),
            gte: t.field(one(`Greater than or equal to this${order}.`)),
          }
        : {}),
      ...(type === 'String'
        ? {
            contains: t.field(one('Contains this text somewhere; upper and lower case differ.')),
            startsWith: t.field(one('Begins with this text; upper and lower case differ.')),
          }
        : {}),
      isNull: t.boolean({ description: 'Whether there is no value.', ...constrained({ notNull: noNull }) }),
    }),
  });
}
