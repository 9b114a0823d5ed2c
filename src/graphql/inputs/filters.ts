/** `AssetRepairFilter`: conditions on each field, on the lines and on the parent, combined by and, or, not. */

import type { InputFieldMap, InputRef } from '@pothos/core';
import { longestPart, mostNames, mostOrders } from '../../model/limits.js';
import { snakeOf } from '../../model/names.js';
import { authorColumns, type Resource } from '../../model/resource.js';
import { textOperators } from '../../query/condition.js';
import type { Filter } from '../../query/filter.js';
import type { OrderBy } from '../../query/list.js';
import { filterOfRecord, sortOfRecord } from '../answered-by-sql.js';
import { type Builder, perBuilder, perResource } from '../builder.js';
import { type Column, columnsOf, mostOperands, operatorsOf } from '../types/columns.js';
import { documentStatus, enumOf } from '../types/enums.js';

/**
 * Constraints of an input value that GraphQL types cannot express. They are kept in the extensions of the input field,
 * where validation and printers of the schema find them.
 */
export interface Constraint {
  /** May be left out, but not null; the text says what to do instead, and may depend on the surrounding object. */
  notNull?: string | ((object: Readonly<Record<string, unknown>>) => string);
  /** The default that the writer fills in, so that checking the value need not. */
  usual?: unknown;
  /** The only accepted values; for an enum, the values of its names. */
  oneOf?: readonly string[];
  /** May be true only where one of these is given beside it. */
  besides?: readonly string[];
  minimum?: number;
  maximum?: number;
  maximumLength?: number;
  /** A text that must not be empty. */
  notEmpty?: true;
  /** The most UTF-16 units of a text. */
  longest?: number;
  /** A text that names a record by its id, so that ids of states of the past are refused as those of type ID are. */
  namesRecord?: true;
  /** Whether ids of states of the past are taken, as `asOf` answers them. */
  takesPast?: true;
  /** The most objects and the most single values inside an argument, at any depth. */
  mostObjects?: number;
  mostValues?: number;
}

export const constrained = (constraint: Constraint) => ({ extensions: { constraint } });

/** The constraint of an input field or argument; empty if there is none. */
export function constraintOf({ extensions }: { extensions: { constraint?: Constraint } }): Constraint {
  return extensions.constraint ?? {};
}

const comparable = ['String', 'ID', 'Float', 'Int', 'Boolean', 'DateTime'] as const;

type Comparable = (typeof comparable)[number];

const noNull = 'leave it out, or ask with `isNull`';

export const comparisonOf = (builder: Builder, type: Column['type']): InputRef<Filter> =>
  comparisons(builder).get(type) ?? statusComparison(builder);

/** `StringComparison` and the like: the conditions on one value. */
const comparisons = perBuilder(
  (builder): ReadonlyMap<Column['type'], InputRef<Filter>> =>
    new Map(comparable.map((type) => [type, comparison(builder, type)])),
);

/** States have no order, and no parts. */
const statusComparison = perBuilder((builder): InputRef<Filter> => {
  const type = documentStatus(builder);
  const one = constrained({ notNull: noNull });
  const several = constrained({ notNull: noNull, maximumLength: mostOperands });
  return builder.inputType('DocumentStatusComparison', {
    description: 'Conditions on the state of a document; side by side all must hold.',
    fields: (t) => ({
      eq: t.field({ type, description: 'Is in this state.', ...one }),
      ne: t.field({ type, description: 'Is not in this state.', ...one }),
      in: t.field({ type: [type], description: 'Is in one of these states.', ...several }),
      notIn: t.field({ type: [type], description: 'Is in none of these states.', ...several }),
      isNull: t.boolean({ description: 'Whether it has no state; each has one.', ...one }),
    }),
  });
});

function comparison(builder: Builder, type: Comparable): InputRef<Filter> {
  const one = (description: string) => ({ type, description, ...constrained({ notNull: noNull }) });
  const within = (description: string) => ({
    type: 'String' as const,
    description,
    ...constrained({ notNull: noNull, longest: longestPart }),
  });
  const several = (description: string) => ({
    type: [type] as [Comparable],
    description,
    ...constrained({ notNull: noNull, maximumLength: mostOperands }),
  });
  const order = type === 'String' || type === 'ID' ? ', in the order of the Unicode code points' : '';
  return builder.inputType(`${type}Comparison`, {
    description:
      'Conditions on one value; side by side all must hold. Null equals nothing and is neither less nor greater.',
    fields: (t) => {
      const fieldOf = {
        eq: () => t.field(one('Equals this.')),
        ne: () => t.field(one('Does not equal this; also where there is no value.')),
        in: () => t.field(several(`Equals one of these, ${mostOperands} at most.`)),
        notIn: () => t.field(several('Equals none of these; also where there is no value.')),
        lt: () => t.field(one(`Less than this${order}.`)),
        lte: () => t.field(one(`Less than or equal to this${order}.`)),
        gt: () => t.field(one(`Greater than this${order}.`)),
        gte: () => t.field(one(`Greater than or equal to this${order}.`)),
        contains: () => t.field(within(`Contains this text of at most ${longestPart} characters somewhere.`)),
        startsWith: () => t.field(one('Begins with this text.')),
        endsWith: () => t.field(within(`Ends with this text of at most ${longestPart} characters.`)),
        ignoreCase: () =>
          t.boolean({
            description:
              'Whether upper and lower case are alike for `contains`, `startsWith` and `endsWith` beside it, in all scripts; they differ where it is left out.',
            ...constrained({ notNull: noNull, besides: textOperators }),
          }),
        isNull: () => t.boolean({ description: 'Whether there is no value.', ...constrained({ notNull: noNull }) }),
      };
      return Object.fromEntries(operatorsOf[type].map((operator) => [operator, fieldOf[operator]()]));
    },
  });
}

export type InputFields = Parameters<NonNullable<Parameters<Builder['inputType']>[1]['fields']>>[0];

/** The most conditions in one `and` or `or`. */
export const mostAlternatives = 50;

/** How conditions of this type are combined. */
export const combinations = (t: InputFields, type: InputRef<Filter>) => {
  const types: [typeof type] = [type];
  const several = { type: types, ...constrained({ maximumLength: mostAlternatives }) };
  return { and: t.field(several), or: t.field(several), not: t.field({ type }) };
};
/**
 * The most objects in one filter, at any depth. Each takes about two conditions, SQLite allows 1,000, and the time to
 * plan a query grows quadratically.
 */
export const mostObjects = 300;

export const filterBounds = constrained({ mostObjects, mostValues: mostOperands });

export const filterOf = perResource(
  (builder, resource: Resource): InputRef<Filter> =>
    builder.inputType(`${resource.model}Filter`, {
      extensions: filterOfRecord(resource),
      description: `Which records to take of ${resource.title}.`,
      fields: (t) => ({
        ...combinations(t, filterOf(builder, resource)),
        ...fieldConditions(builder, t, resource),
        ...relationConditions(builder, t, resource),
      }),
    }),
);

const linesFilterOf = perResource(
  (builder, resource: Resource): InputRef<Filter> =>
    builder.inputType(`${resource.model}LinesFilter`, {
      description: `A condition on lines of a record: of \`some\`, at least one line is like this; of \`every\`, each, also where there are none; of \`none\`, no line.`,
      fields: (t) => ({
        some: t.field({ type: filterOf(builder, resource) }),
        every: t.field({ type: filterOf(builder, resource) }),
        none: t.field({ type: filterOf(builder, resource) }),
      }),
    }),
);

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

function fieldConditions(builder: Builder, t: InputFields, resource: Resource): InputFieldMap {
  const columns: Pick<Column, 'name' | 'type'>[] = columnsOf(resource);
  // Only filters have these: nobody sorts, groups or measures by them.
  const authors = authorColumns.map((name) => ({ name, type: 'String' as const }));
  return Object.fromEntries(
    [...columns, ...(resource.timestamps ? authors : [])].map(({ name, type }) => [
      name,
      t.field({ type: comparisonOf(builder, type) }),
    ]),
  );
}

function relationConditions(builder: Builder, t: InputFields, { lines, parents, links }: Resource): InputFieldMap {
  return Object.fromEntries([
    ...lines.map(({ field, resource }) => [field, t.field({ type: linesFilterOf(builder, resource) })]),
    ...[...parents, ...links.filter((link) => typesOf(builder).has(link.resource))].map(({ field, resource }) => [
      field,
      t.field({ type: filterOf(builder, resource) }),
    ]),
  ]);
}

// `AssetRepairSort`: the fields to sort by, the direction, and the place of records without a value.

const direction = enumOf('SortDirection', 'Up or down.', {
  asc: 'From the least to the greatest; texts in the order of the Unicode code points.',
  desc: 'From the greatest to the least.',
});

const nulls = enumOf('SortNulls', 'Where records without a value stand, or groups without a measure.', {
  first: 'Before all others, whatever the direction.',
  last: 'After all others, whatever the direction.',
});

const sortOf = perResource(
  (builder, resource): InputRef<OrderBy> =>
    builder.inputType(`${resource.model}Sort`, {
      description: `One field to sort ${resource.title} by.`,
      extensions: sortOfRecord(resource),
      fields: (t) => sortFields(builder, t, resource),
    }),
);

const sortFieldOf = perResource((builder, resource) => {
  return builder.enumType(`${resource.model}SortField`, {
    description: `What ${resource.title} can be sorted and grouped by.`,
    values: Object.fromEntries(columnsOf(resource).map(({ name }) => [snakeOf(name).toUpperCase(), { value: name }])),
  });
});

/** What every order says: a field, and how to sort by it. */
export const sortFields = (builder: Builder, t: InputFields, resource: Resource) => ({
  field: t.field({ type: sortFieldOf(builder, resource), required: true }),
  direction: t.field({ type: direction(builder), required: true, defaultValue: 'asc' }),
  nulls: t.field({ type: nulls(builder), required: true, defaultValue: 'last' }),
});

export const listArguments = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    where: t.field({ type: filterOf(builder, resource), ...filterBounds }),
    orderBy: t.field({ type: [sortOf(builder, resource)], ...constrained({ maximumLength: mostOrders }) }),
  }));

/** The constraint of a list that names types or actions; a client may name one often. */
export const mostNamed = constrained({ maximumLength: mostNames });
