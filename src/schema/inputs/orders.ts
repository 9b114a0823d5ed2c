/** `AssetRepairOrder`: the fields to sort by, the direction, and the place of records without a value. */
import type { InputRef } from '@pothos/core';
import { mostOrders } from '../../model/limits.js';
import { snakeOf } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { GroupOrder } from '../../records/aggregate.js';
import type { GroupKey } from '../../records/measure.js';
import type { Builder } from '../builder.js';
import { perBuilder, perResource } from '../per-builder.js';
import { columnsOf, describedAt } from '../types/columns.js';
import { aggregateMeasure, datePart } from './aggregate-inputs.js';
import { constrained } from './constraint.js';

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
    description: 'Where records without a value stand, or groups without a measure.',
    values: {
      FIRST: { value: 'first', description: 'Before all others, whatever the direction.' },
      LAST: { value: 'last', description: 'After all others, whatever the direction.' },
    } as const,
  }),
);

/** The order input of a resource; `orderBy` takes a list of it, and so does `groupBy` of an aggregate. */
export const orderInputOf = perResource(orderType);

/** The `orderBy` argument of a list. */
export const orderArgument = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    orderBy: t.field({
      type: [orderInputOf(builder, resource)],
      ...constrained({ maximumLength: mostOrders }),
    }),
  }));

/** The fields of a resource as an enum, for sorting and grouping. */
export const orderFieldOf = perResource((builder, resource) => {
  return builder.enumType(`${resource.model}OrderField`, {
    description: `What ${resource.title} can be sorted and grouped by. ${describedAt(resource)}`,
    values: Object.fromEntries(columnsOf(resource).map(({ name }) => [snakeOf(name).toUpperCase(), { value: name }])),
  });
});

function orderType(builder: Builder, resource: Resource): InputRef<GroupOrder & GroupKey> {
  const field = orderFieldOf(builder, resource);
  return builder.inputType(`${resource.model}Order`, {
    description: `One field to sort ${resource.title} by, or to group by.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true }),
      direction: t.field({ type: direction(builder), required: true, defaultValue: 'asc' }),
      nulls: t.field({ type: nulls(builder), required: true, defaultValue: 'last' }),
      measure: t.field({
        type: aggregateMeasure(builder),
        ...constrained({ only: { purpose: 'groupOrder', instead: 'is for the order of groups; leave it out' } }),
      }),
      by: t.field({
        type: datePart(builder),
        ...constrained({ only: { purpose: 'groupKeys', instead: 'is for `groupBy`; leave it out' } }),
      }),
    }),
  });
}
