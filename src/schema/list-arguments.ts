import type { Resource } from '../model/resource.js';
import type { Builder } from './builder.js';
import { filterBounds, filterOf } from './filters.js';
import { orderArgument } from './orders.js';

/** What every list takes: which records, and in which order. */
export const listArguments = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    where: t.field({
      type: filterOf(builder, resource),
      description: 'Only the records this holds of.',
      ...filterBounds,
    }),
    ...orderArgument(builder, resource),
  }));
