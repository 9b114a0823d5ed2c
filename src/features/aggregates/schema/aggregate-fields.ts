/** `assetRepairAggregate`: counts and sums records, as a whole and in groups. */
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../../change/context.js';
import type { Builder } from '../../../graphql/builder.js';
import { type SelectedNames, selectedNamesOf } from '../../../graphql/fields/selected-names.js';
import { withAccess } from '../../../graphql/guards/guard-scopes.js';
import { constrained } from '../../../graphql/inputs/constraint.js';
import { filterBounds, filterOf } from '../../../graphql/inputs/filters.js';
import { groupSortOf } from '../../../graphql/inputs/orders.js';
import { errors } from '../../../model/errors/errors.js';
import { defaultGroups, largestPageSize, mostKeys, mostOrders } from '../../../model/limits.js';
import type { Resource } from '../../../model/resource.js';
import type { Where } from '../../../query/delegate.js';
import { conditionOf, type Filter } from '../../../query/filter.js';
import { lazy } from '../../../query/lazy.js';
import { totalOf } from '../../../query/total.js';
import { aggregate, type Group, type GroupOrder } from '../aggregate.js';
import { havingCondition } from '../having.js';
import type { GroupKey, Measure } from '../measure.js';
import { groupingProblems } from './aggregate-problems.js';
import { type Aggregate, aggregateOfGroup, aggregateTypeOf } from './aggregate-types.js';
import { havingOf } from './having-inputs.js';

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
