/** `AssetRepairAggregate`: records counted, and their fields measured, all of them or those of one group. */
import type { ObjectRef } from '@pothos/core';
import { type MaybePromise, whenResolved } from '../../../common/maybe-promise.js';
import type { Builder, SchemaTypes } from '../../../graphql/builder.js';
import { perBuilder } from '../../../graphql/per-builder.js';
import { columnsOf } from '../../../graphql/types/columns.js';
import type { Resource } from '../../../model/resource.js';
import type { Group } from '../aggregate.js';
import { columnAggregateOf } from './column-aggregates.js';

/** The parts of an aggregate, each read when it is first resolved. */
export interface Aggregate {
  group(): MaybePromise<Group>;
  groups(): MaybePromise<readonly Aggregate[]>;
  hasMoreGroups(): MaybePromise<boolean>;
}

/** A group has no groups of its own. */
export const aggregateOfGroup = (group: Group): Aggregate => ({
  group: () => group,
  groups: () => [],
  hasMoreGroups: () => false,
});

/** Such as `AssetRepairAggregate`. */
export function aggregateTypeOf(builder: Builder, resource: Resource): ObjectRef<SchemaTypes, Aggregate> {
  const type = builder.objectRef<Aggregate>(`${resource.model}Aggregate`);
  type.implement({
    description: `Records of ${resource.title} counted and measured.`,
    interfaces: [aggregate(builder)],
    fields: (t) => ({
      count: t.int({ resolve: (asked) => whenResolved(asked.group(), ({ count }) => count) }),
      groups: t.field({ type: [type], resolve: (asked) => asked.groups() }),
      hasMoreGroups: t.boolean({ resolve: (asked) => asked.hasMoreGroups() }),
      ...Object.fromEntries(
        columnsOf(resource).map((column) => [
          // An object with an `id` that is no record would confuse client caches.
          column.name === 'id' ? 'recordId' : column.name,
          t.field({
            type: columnAggregateOf(builder, column),
            resolve: ({ group }) => ({ field: column.name, group }),
          }),
        ]),
      ),
    }),
  });
  return type;
}

/** The interface of all aggregates, where their common fields are described. */
const aggregate = perBuilder((builder) => {
  const type = builder.interfaceRef<Aggregate>('Aggregate');
  return type.implement({
    description:
      'Records counted and measured: all of them, or those of one group. Beside what is here, an aggregate has each field of its records, with what is measured of it.',
    fields: (t) => ({
      count: t.int({
        description: 'How many records there are.',
        resolve: (asked) => whenResolved(asked.group(), ({ count }) => count),
      }),
      groups: t.field({
        type: [type],
        description: 'The groups that `groupBy` makes; one of all records without it. A group has none of its own.',
        resolve: (asked) => asked.groups(),
      }),
      hasMoreGroups: t.boolean({
        description: 'Whether groups follow those given; `offset` leads to them.',
        resolve: (asked) => asked.hasMoreGroups(),
      }),
    }),
  });
});
