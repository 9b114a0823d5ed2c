/** `AssetRepairFilter`: conditions on each field, on the lines and on the parent, combined by and, or, not. */
import type { InputFieldMap, InputRef } from '@pothos/core';
import type { Resource } from '../../model/resource.js';
import type { Filter } from '../../query/filter.js';
import type { Builder } from '../builder.js';
import { filterOfRecord } from '../guards/guard-links.js';
import { perBuilder, perResource } from '../per-builder.js';
import { columnsOf } from '../types/columns.js';
import { comparisonOf, mostOperands } from './comparisons.js';
import { constrained } from './constraint.js';

type InputFields = Parameters<NonNullable<Parameters<Builder['inputType']>[1]['fields']>>[0];

/** The most conditions in one `and` or `or`. */
export const mostAlternatives = 50;
/**
 * The most objects in one filter, at any depth. Each takes about two conditions, SQLite allows 1,000, and the time to
 * plan a query grows quadratically.
 */
export const mostObjects = 300;

/** The limits of an argument that holds a filter. */
const filterLimits = { mostObjects, mostValues: mostOperands };
export const filterBounds = constrained(filterLimits);

/** The filter input of a resource. */
export const filterOf = perResource(filterType);

const linesFilterOf = perResource(linesFilterType);

/** The record types of a schema, to which its filters may follow links. */
const typesOf = perBuilder(() => new Set<Resource>());

/** Creates all filter types before the schema is built, because they refer to each other. */
export function addFilters(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) typesOf(builder).add(resource);
  for (const resource of resources) {
    // A singleton has no list; only its lines look at it by a filter.
    if (resource.kind !== 'singleton' || resource.lines.length > 0) filterOf(builder, resource);
    if (resource.parents.length > 0) linesFilterOf(builder, resource);
  }
}

function filterType(builder: Builder, resource: Resource): InputRef<Filter> {
  return builder.inputType(`${resource.model}Filter`, {
    extensions: filterOfRecord(resource),
    description: `Which records to take of ${resource.title}.`,
    fields: (t) => ({
      and: t.field({
        type: [filterOf(builder, resource)],
        ...constrained({ maximumLength: mostAlternatives }),
      }),
      or: t.field({
        type: [filterOf(builder, resource)],
        ...constrained({ maximumLength: mostAlternatives }),
      }),
      not: t.field({ type: filterOf(builder, resource) }),
      ...fieldConditions(builder, t, resource),
      ...relationConditions(builder, t, resource),
    }),
  });
}

function fieldConditions(builder: Builder, t: InputFields, resource: Resource): InputFieldMap {
  return Object.fromEntries(
    columnsOf(resource).map(({ name, type }) => [name, t.field({ type: comparisonOf(builder, type) })]),
  );
}

function relationConditions(builder: Builder, t: InputFields, { lines, parents, links }: Resource): InputFieldMap {
  return Object.fromEntries([
    ...lines.map(({ field, resource }) => [field, t.field({ type: linesFilterOf(builder, resource) })]),
    ...parents.map(({ field, resource }) => [field, t.field({ type: filterOf(builder, resource) })]),
    ...links
      .filter(({ resource }) => typesOf(builder).has(resource))
      .map(({ field, resource }) => [field, t.field({ type: filterOf(builder, resource) })]),
  ]);
}

function linesFilterType(builder: Builder, resource: Resource): InputRef<Filter> {
  return builder.inputType(`${resource.model}LinesFilter`, {
    description: `A condition on lines of a record: of \`some\`, at least one line is like this; of \`every\`, each, also where there are none; of \`none\`, no line.`,
    fields: (t) => ({
      some: t.field({ type: filterOf(builder, resource) }),
      every: t.field({ type: filterOf(builder, resource) }),
      none: t.field({ type: filterOf(builder, resource) }),
    }),
  });
}
