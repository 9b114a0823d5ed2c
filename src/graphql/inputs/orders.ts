/** `AssetRepairSort`: the fields to sort by, the direction, and the place of records without a value. */
import type { InputRef } from '@pothos/core';
import { mostNames, mostOrders } from '../../model/limits.js';
import { snakeOf } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { OrderBy } from '../../query/list.js';
import { sortOfRecord } from '../answered-by-sql.js';
import { type Builder, perResource } from '../builder.js';
import { columnsOf } from '../types/columns.js';
import { enumOf } from '../types/enums.js';
import { constrained, filterBounds, filterOf, type InputFields } from './filters.js';

const direction = enumOf('SortDirection', 'Up or down.', {
  asc: 'From the least to the greatest; texts in the order of the Unicode code points.',
  desc: 'From the greatest to the least.',
});

const nulls = enumOf('SortNulls', 'Where records without a value stand, or groups without a measure.', {
  first: 'Before all others, whatever the direction.',
  last: 'After all others, whatever the direction.',
});

/** The order of a list of a resource. */
const sortOf = perResource(
  (builder, resource): InputRef<OrderBy> =>
    builder.inputType(`${resource.model}Sort`, {
      description: `One field to sort ${resource.title} by.`,
      extensions: sortOfRecord(resource),
      fields: (t) => sortFields(builder, t, resource),
    }),
);

/** The fields of a resource as an enum, for sorting and grouping. */
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

/** The arguments of every list: filter and order. */
export const listArguments = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    where: t.field({ type: filterOf(builder, resource), ...filterBounds }),
    orderBy: t.field({ type: [sortOf(builder, resource)], ...constrained({ maximumLength: mostOrders }) }),
  }));

/** The constraint of a list that names types or actions; a client may name one often. */
export const mostNamed = constrained({ maximumLength: mostNames });
