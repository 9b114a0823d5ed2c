import type { Resource } from '../model/resource.js';
import { builder } from './builder.js';
import { constrained } from './constraint.js';
import { filterOf, mostOperands } from './filters.js';
import { orderArgument } from './orders.js';

/**
 * Objects in one filter, at any depth, of which a condition takes two: SQLite follows no more than 1,000 conditions, and
 * the time to plan a query grows with their square.
 */
const mostObjects = 300;

/** What every list takes: which records, and in which order. */
export const listArguments = (resource: Resource) =>
  builder.args((t) => ({
    where: t.field({
      type: filterOf(resource),
      description: 'Only the records this holds of.',
      ...constrained({ mostObjects, mostValues: mostOperands }),
    }),
    ...orderArgument(resource),
  }));
