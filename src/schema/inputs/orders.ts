/** `AssetRepairOrder`: the fields to sort by, the direction, and the place of records without a value. */
import type { InputRef } from '@pothos/core';
import { snakeOf } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { OrderBy } from '../../records/sort.js';
import type { Builder } from '../builder.js';
import { perBuilder, perResource } from '../per-builder.js';
import { columnsOf, describedAt } from '../types/columns.js';
import { constrained } from './constraint.js';

/** The most fields to sort by. */
export const mostOrders = 8;

export const direction = perBuilder((builder) =>
  builder.enumType('OrderDirection', {
    description: 'Up or down.',
    values: {
      ASC: {
        value: 'asc',
        description: 'From the least to the greatest; texts in the order of the Unicode code points.',
      },
      DESC: { value: 'desc', description: 'From the greatest to the least.' },
    } as const,
  }),
);

export const nulls = perBuilder((builder) =>
  builder.enumType('OrderNulls', {
    description: 'Where records without a value stand.',
    values: {
      FIRST: { value: 'first', description: 'Before all others, whatever the direction.' },
      LAST: { value: 'last', description: 'After all others, whatever the direction.' },
    } as const,
  }),
);

/** The order input of a resource; `orderBy` takes a list of it. */
export const orderInputOf = perResource(orderType);

/** The `orderBy` argument of a list. */
export const orderArgument = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    orderBy: t.field({
      type: [orderInputOf(builder, resource)],
      description: `What to sort by, the most important first, ${mostOrders} at most; equals stand newest first.`,
      ...constrained({ maximumLength: mostOrders }),
    }),
  }));

/** The fields of a resource as an enum, for sorting and grouping. */
export const orderFieldOf = perResource((builder, resource) => {
  return builder.enumType(`${resource.model}OrderField`, {
    description: `What ${resource.title} can be sorted by, and grouped by; ids rise with the time of creation. ${describedAt(resource)}`,
    values: Object.fromEntries(columnsOf(resource).map(({ name }) => [snakeOf(name).toUpperCase(), { value: name }])),
  });
});

function orderType(builder: Builder, resource: Resource): InputRef<OrderBy> {
  const field = orderFieldOf(builder, resource);
  return builder.inputType(`${resource.model}Order`, {
    description: `One field to sort ${resource.title} by.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'What to sort by.' }),
      direction: t.field({ type: direction(builder), required: true, defaultValue: 'asc', description: 'Up or down.' }),
      nulls: t.field({
        type: nulls(builder),
        required: true,
        defaultValue: 'last',
        description: 'Where records without a value stand.',
      }),
    }),
  });
}
