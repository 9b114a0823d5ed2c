/** `assetRepairAggregate`: counts and sums records, as a whole and in groups. */
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../context.js';
import { errors } from '../../errors/errors.js';
import { defaultGroups, largestPageSize, mostKeys, mostOrders } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { aggregate, type Group, type GroupOrder } from '../../records/aggregate.js';
import type { Where } from '../../records/delegate.js';
import { conditionOf, type Filter } from '../../records/filter.js';
import { havingCondition } from '../../records/having.js';
import { lazy } from '../../records/lazy.js';
import type { GroupKey, Measure } from '../../records/measure.js';
import { totalOf } from '../../records/total.js';
import type { Builder } from '../builder.js';
import { groupingProblems } from '../guards/aggregate-problems.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/constraint.js';
import { filterBounds, filterOf } from '../inputs/filters.js';
import { havingOf } from '../inputs/having.js';
import { groupSortOf } from '../inputs/orders.js';
import { type Aggregate, aggregateOfGroup, aggregateTypeOf } from '../types/aggregate-types.js';
import { type SelectedNames, selectedNamesOf } from './selected-names.js';

export function addAggregates(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) if (resource.kind !== 'singleton') addAggregate(builder, resource);
}

function addAggregate(builder: Builder, resource: Resource): void {
  const type = aggregateTypeOf(builder, resource);
  const filter = filterOf(builder, resource);
  const having = havingOf(builder, resource);
  builder.queryField(`${resource.one}Aggregate`, (t) =>
    t.field({
      type,
      nullable: true,
      ...withAccess({ resource, operation: 'list' }),
      description: `Every ${resource.title}, or those of a condition, counted and measured: as a whole and in groups.`,
      args: {
        where: t.arg({ type: filter, ...filterBounds }),
        groupBy: t.arg({ type: [groupSortOf(builder, resource)], ...constrained({ maximumLength: mostKeys }) }),
        having: t.arg({ type: having, ...filterBounds }),
        orderBy: t.arg({ type: [groupSortOf(builder, resource)], ...constrained({ maximumLength: mostOrders }) }),
        first: t.arg.int({
          required: true,
          defaultValue: defaultGroups,
          ...constrained({ minimum: 1, maximum: largestPageSize }),
        }),
        offset: t.arg.int({ required: true, defaultValue: 0, ...constrained({ minimum: 0 }) }),
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
      ...(having ? { having: havingCondition(having) } : {}),
      orders,
      // One more than asked for, to know whether there are more.
      first: first + 1,
      offset,
    }),
  );
  return {
    group: lazy(() => wholeGroup(context, resource, where, measuresOf(asked))),
    groups: async () => (await groups()).slice(0, first).map(aggregateOfGroup),
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
  if (!group) throw new Error('An aggregate without keys has one group, even if there are no records');
  return group;
}

/** The selected measures; always at least the count, because a statement must select something. */
function measuresOf(asked: SelectedNames | undefined): Measure[] {
  const measures = [...(asked ?? [])].flatMap(([field, below]) =>
    (['sum', 'avg', 'min', 'max'] as const).filter((of) => below.has(of)).map((of) => ({ of, field })),
  );
  return [{ of: 'count' }, ...measures];
}
