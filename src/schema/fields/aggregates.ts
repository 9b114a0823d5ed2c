/** `assetRepairAggregate`: counts and sums records, as a whole and in groups. */
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../context.js';
import { errors } from '../../errors.js';
import { defaultGroups, largestPageSize } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { aggregate, type Group, type GroupOrder } from '../../records/aggregate.js';
import type { Where } from '../../records/delegate.js';
import { conditionOf, type Filter, whereOf } from '../../records/filter.js';
import { lazy } from '../../records/lazy.js';
import type { GroupKey, Measure } from '../../records/measure.js';
import { totalOf } from '../../records/total.js';
import type { Builder } from '../builder.js';
import { groupingProblems } from '../guards/aggregate-problems.js';
import { withAccess } from '../guards/guard-scopes.js';
import { groupByOf, groupOrderOf, havingOf } from '../inputs/aggregate-inputs.js';
import { constrained } from '../inputs/constraint.js';
import { filterBounds, filterOf } from '../inputs/filters.js';
import { mostOrders } from '../inputs/orders.js';
import { type Aggregate, aggregateTypeOf } from '../types/aggregate-types.js';
import { type SelectedNames, selectedNamesOf } from './selected-names.js';

/** The most fields to group by. */
export const mostKeys = 4;

export function addAggregates(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) if (resource.kind !== 'singleton') addAggregate(builder, resource);
}

function addAggregate(builder: Builder, resource: Resource): void {
  const type = aggregateTypeOf(builder, resource);
  const [groupBy, having, orderBy] = [
    groupByOf(builder, resource),
    havingOf(builder, resource),
    groupOrderOf(builder, resource),
  ];
  builder.queryField(`${resource.one}Aggregate`, (t) =>
    t.field({
      type,
      nullable: true,
      ...withAccess({ resource, operation: 'list' }),
      description: `Every ${resource.title}, or those of a condition, counted and summed up: as a whole, and in groups of those that have something in common.`,
      args: {
        where: t.arg({
          type: filterOf(builder, resource),
          description: 'Only the records this holds of.',
          ...filterBounds,
        }),
        groupBy: t.arg({
          type: [groupBy],
          description: `What the records of one group have in common, ${mostKeys} things at most. Matters to \`groups\` alone, as do the arguments that follow.`,
          ...constrained({ maximumLength: mostKeys }),
        }),
        having: t.arg({ type: having, description: 'Only the groups this holds of.', ...filterBounds }),
        orderBy: t.arg({
          type: [orderBy],
          description: `What to sort groups by, the most important first, ${mostOrders} at most; equals, and all without it, stand in the order of their keys.`,
          ...constrained({ maximumLength: mostOrders }),
        }),
        first: t.arg.int({
          required: true,
          defaultValue: defaultGroups,
          description: `How many groups, 1 to ${largestPageSize}.`,
          ...constrained({ minimum: 1, maximum: largestPageSize }),
        }),
        offset: t.arg.int({
          required: true,
          defaultValue: 0,
          description: 'How many groups to skip first, 0 or more.',
          ...constrained({ minimum: 0 }),
        }),
      },
      resolve: (_, args, context, info) => answer(context, resource, args, info),
    }),
  );
}

interface Arguments {
  where?: Filter | null;
  groupBy?: GroupKey[] | null;
  having?: Filter | null;
  orderBy?: GroupOrder[] | null;
  first: number;
  offset: number;
}

function answer(
  context: RequestContext,
  resource: Resource,
  { where: filter, groupBy, having, orderBy, first, offset }: Arguments,
  info: GraphQLResolveInfo,
): Aggregate {
  const [keys, orders] = [groupBy ?? [], orderBy ?? []];
  const problems = groupingProblems(resource, keys, orders);
  if (problems.length > 0) throw errors.badInput(problems);

  const where = conditionOf(resource, filter);
  const asked = selectedNamesOf(info);
  const groups = lazy(() =>
    aggregate(context, resource, {
      where,
      keys,
      measures: measuresOf(asked.get('groups')),
      ...(having ? { having: havingWhere(having) } : {}),
      orders,
      // One more than asked for, to know whether there are more.
      first: first + 1,
      offset,
    }),
  );
  return {
    total: lazy(() => wholeGroup(context, resource, where, measuresOf(asked))),
    groups: async () => (await groups()).slice(0, first),
    hasMoreGroups: async () => (await groups()).length > first,
  };
}

/** All records as one group. A mere count may be answered by the maintained counters. */
async function wholeGroup(
  context: RequestContext,
  resource: Resource,
  where: Where,
  measures: readonly Measure[],
): Promise<Group> {
  if (measures.every(({ of }) => of === 'count')) {
    return { keys: {}, count: await totalOf(context, resource, where), sum: {}, avg: {}, min: {}, max: {} };
  }
  const [group] = await aggregate(context, resource, { where, measures });
  if (!group) throw new Error('All records together are one group, even of none');
  return group;
}

/** The selected measures; always at least the count, because a statement must select something. */
function measuresOf(asked: SelectedNames | undefined): Measure[] {
  const kinds = ['sum', 'avg', 'min', 'max'] as const;
  const measures = kinds.flatMap((of) =>
    [...(asked?.get(of)?.keys() ?? [])].filter((name) => !name.startsWith('__')).map((field) => ({ of, field })),
  );
  return [{ of: 'count' }, ...measures];
}

/** The condition on groups, with each measure under its own name. */
function havingWhere({ count, ...measures }: Filter): Where {
  const named = Object.entries(measures).flatMap(([of, fields]) =>
    Object.entries(fields ?? {}).map(([field, condition]): [string, unknown] => [`${of}.${field}`, condition]),
  );
  const fields = named.map(([name]) => ({ name, nullable: true }));
  return whereOf({ key: 'count', fields, lines: [], parents: [] }, { count, ...Object.fromEntries(named) });
}
