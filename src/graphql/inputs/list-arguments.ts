import type { Resource } from '../../model/resource.js';
import type { Builder } from '../builder.js';
import { filterBounds, filterOf } from './filters.js';
import { orderArgument } from './orders.js';

/** The arguments of every list: filter and order. */
export const listArguments = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    where: t.field({ type: filterOf(builder, resource), ...filterBounds }),
    ...orderArgument(builder, resource),
  }));
