/** `assetRepairAggregate`: counts and sums records, as a whole and in groups. */

import type { InputFieldMap, InputRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../../change/context.js';
import { once } from '../../../common/kept.js';
import { sortOfRecord, withAccess } from '../../../graphql/answered-by-sql.js';
import { type Builder, perBuilder, perResource } from '../../../graphql/builder.js';
import {
  combinations,
  comparisonOf,
  constrained,
  filterBounds,
  filterOf,
  type InputFields,
  sortFields,
} from '../../../graphql/inputs/filters.js';
import { selectionIn } from '../../../graphql/operation/selection.js';
import { type Column, columnsOf } from '../../../graphql/types/columns.js';
import { enumOf } from '../../../graphql/types/enums.js';
import { errors } from '../../../model/errors/errors.js';
import { invalid, type Problem } from '../../../model/errors/problem.js';
import { isDocumentStatus } from '../../../model/lifecycle.js';
import { defaultGroups, largestPageSize, mostKeys, mostOrders } from '../../../model/limits.js';
import { snakeOf } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import type { Selection } from '../../../model/selection.js';
import type { Condition } from '../../../query/condition.js';
import { conditionOf, type Filter } from '../../../query/filter.js';
import { columnsIn } from '../../../query/matches.js';
import { totalOf } from '../../../query/page.js';
import type { Rights } from '../../../query/rights.js';
import {
  aggregate,
  type Group,
  type GroupKey,
  type GroupOrder,
  havingCondition,
  type Measure,
  measureNamed,
  typeOfField,
} from '../aggregate.js';
import { type Aggregate, aggregateOfGroup, aggregateTypeOf } from './aggregate-types.js';

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
  const { rights } = context.identity;
  if (rights && having) requireMeasured(rights, resource, havingCondition(having));
  const problems = groupingProblems(resource, keys, orders);
  if (problems.length > 0) throw errors.badInput(problems);

  const where = conditionOf(resource, filter);
  const asked = selectionIn(info).fields;
  const groups = once(() =>
    aggregate(context, resource, {
      where,
      keys,
      measures: measuresOf(asked.filter(({ name }) => name === 'groups').flatMap(({ fields }) => fields)),
      ...(having ? { having: havingCondition(having) } : {}),
      orders,
      // One more than asked for, to know whether there are more.
      first: first + 1,
      offset,
    }),
  );
  return {
    group: once(() => wholeGroup(context, resource, where, measuresOf(asked))),
    groups: async () => (await groups()).slice(0, first).map(aggregateOfGroup),
    hasMoreGroups: async () => (await groups()).length > first,
  };
}

/** @throws FORBIDDEN for groups that are chosen by what is measured of a hidden field */
function requireMeasured(rights: Rights, resource: Resource, having: Condition): void {
  const measured = columnsIn(having).flatMap((name) => measureNamed(name).field ?? []);
  const hidden = measured.find((field) => rights.hidden(resource).has(field));
  if (hidden) throw errors.hiddenComparison({ model: resource.model, field: hidden });
}

/** All records as one group. A mere count may be answered by the maintained counters. */
async function wholeGroup(
  context: RequestContext,
  resource: Resource,
  where: Condition,
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
function measuresOf(asked: readonly Selection[]): Measure[] {
  const measures = new Map<string, Measure>();
  for (const { name: field, fields } of asked) {
    const named = new Set(fields.map(({ name }) => name));
    for (const of of ['sum', 'avg', 'min', 'max'] as const) {
      if (named.has(of)) measures.set(`${of} ${field}`, { of, field });
    }
  }
  return [{ of: 'count' }, ...measures.values()];
}

// `AssetRepairHaving`: conditions on what is measured of a group. `FloatHaving` and the like are shared by all record types.

/** The condition on groups of a resource: a field for each that can be measured. */
const havingOf = perResource(
  (builder, resource: Resource): InputRef<Filter> =>
    builder.inputType(`${resource.model}Having`, {
      description: `Which groups to take of ${resource.title}, by what is measured of them.`,
      fields: (t) => ({
        ...combinations(t, havingOf(builder, resource)),
        count: t.field({ type: comparisonOf(builder, 'Int'), description: 'How many records the group has.' }),
        ...conditions(builder, t, resource),
      }),
    }),
);

const conditions = (builder: Builder, t: InputFields, resource: Resource): InputFieldMap =>
  Object.fromEntries(
    columnsOf(resource).flatMap((column) => {
      const type = measuredOf(builder, column);
      return type ? [[column.name, t.field({ type })]] : [];
    }),
  );

/** The conditions on a field; undefined for one that has neither a sum nor an order that says something. */
function measuredOf(builder: Builder, { type, holdsDate }: Column): InputRef<Filter> | undefined {
  if (holdsDate) return measured(builder).Date;
  return type === 'Int' || type === 'Float' || type === 'DateTime' ? measured(builder)[type] : undefined;
}

const measured = perBuilder((builder) => ({
  Int: conditionsOn(builder, 'Int', 'a field of whole numbers', 'Int'),
  Float: conditionsOn(builder, 'Float', 'a field of numbers', 'Float'),
  Date: conditionsOn(builder, 'Date', 'a field of texts that hold dates', 'String'),
  DateTime: conditionsOn(builder, 'DateTime', 'a field of instants', 'DateTime'),
}));

function conditionsOn(
  builder: Builder,
  name: string,
  title: string,
  type: 'Int' | 'Float' | 'String' | 'DateTime',
): InputRef<Filter> {
  const isAdded = type === 'Int' || type === 'Float';
  const [value, sum] = [comparisonOf(builder, type), comparisonOf(builder, 'Float')];
  return builder.inputType(`${name}Having`, {
    description: `Conditions on what is measured of ${title} in a group; side by side all must hold.`,
    fields: (t) => ({
      ...(isAdded && {
        sum: t.field({ type: sum, description: 'What the values add up to.' }),
        avg: t.field({ type: sum, description: 'The average of the values.' }),
      }),
      min: t.field({ type: value, description: 'The least of the values.' }),
      max: t.field({ type: value, description: 'The greatest of the values.' }),
    }),
  });
}

/** Problems of grouping and order that the types of the arguments cannot express. */
function groupingProblems(resource: Resource, keys: readonly GroupKey[], orders: readonly GroupOrder[]): Problem[] {
  return [
    ...keys.flatMap((key, index) => keyProblems(resource, key, keys.slice(0, index), ['groupBy', index])),
    ...orders.flatMap((order, index) => orderProblems(resource, order, keys, ['orderBy', index])),
  ];
}

type Path = Problem['path'];

function keyProblems(
  resource: Resource,
  { field, by, measure }: GroupKey,
  before: readonly GroupKey[],
  path: Path,
): Problem[] {
  const problems: Problem[] = [];
  if (before.some((other) => other.field === field)) {
    problems.push(invalid([...path, 'field'], `is ${enumNameOf(field)} again; group by a field once`));
  }
  const refused = measure ? measureProblem(resource, measure, field) : undefined;
  if (refused) problems.push(invalid([...path, 'field'], `is ${refused}`));
  const type = typeOfField(resource, field);
  if (by && ((type !== 'String' && type !== 'DateTime') || isDocumentStatus(resource, field))) {
    problems.push(
      invalid([...path, 'by'], `takes a part of a date, but ${enumNameOf(field)} holds none; leave it out`),
    );
  }
  return problems;
}

function orderProblems(
  resource: Resource,
  { measure, field, by }: GroupOrder,
  keys: readonly GroupKey[],
  path: Path,
): Problem[] {
  const at = [...path, 'field'];
  if (measure) {
    const refused = measureProblem(resource, measure, field);
    if (by) return [invalid([...path, 'by'], 'is the part of a key, but a field is measured whole; leave it out')];
    return refused ? [invalid(at, `is ${refused}`)] : [];
  }
  const key = keys.find((each) => each.field === field);
  if (key && by && key.by !== by) return [invalid([...path, 'by'], 'is not the part that `groupBy` has; leave it out')];
  return key ? [] : [invalid(at, `is ${enumNameOf(field)}, which is not in \`groupBy\`; say what to measure of it`)];
}

/** Why a field cannot be measured so, beginning with its name; undefined where it can. */
function measureProblem(resource: Resource, of: Measure['of'], field: string): string | undefined {
  const name = enumNameOf(field);
  if (of === 'count') return field === 'id' ? undefined : `${name}, but records are counted by ID; send ID`;
  const column = columnsOf(resource).find((candidate) => candidate.name === field);
  if (column?.type === 'Float' || column?.type === 'Int') return undefined;
  if (of === 'sum' || of === 'avg') return `${name}, which holds no numbers`;
  if (column?.holdsDate || column?.type === 'DateTime') return undefined;
  return `${name}, which holds neither numbers nor dates, so that it has no least value and no greatest`;
}

const enumNameOf = (field: string): string => snakeOf(field).toUpperCase();

const datePart = enumOf(
  'DatePart',
  'The part of a date by which to group, with which texts that hold dates and instants begin. Instants are in UTC.',
  {
    year: 'The first 4 characters, `2026`.',
    month: 'The first 7 characters, `2026-01`.',
    day: 'The first 10 characters, `2026-01-31`.',
  },
);

const aggregateMeasure = enumOf(
  'AggregateMeasure',
  'What to sort groups by: what is measured of a field; without it, the key `field`.',
  {
    count: 'How many records there are; of the field `ID`.',
    sum: 'A field of numbers, added up.',
    avg: 'A field of numbers, on average.',
    min: 'The least value of a field that holds numbers, dates or instants.',
    max: 'The greatest value of such a field.',
  },
);

/**
 * The keys of the groups of an aggregate, and their order: both say what to sort by. A key is a field, or a part of a date; the groups
 * have its order where no other decides, or that of what is measured of it.
 */
const groupSortOf = perResource(
  (builder, resource): InputRef<GroupKey & GroupOrder> =>
    builder.inputType(`${resource.model}AggregateSort`, {
      description: `A key of groups of ${resource.title}, or what is measured of them, and how to sort by it.`,
      extensions: sortOfRecord(resource),
      fields: (t) => ({
        ...sortFields(builder, t, resource),
        measure: t.field({ type: aggregateMeasure(builder) }),
        by: t.field({ type: datePart(builder) }),
      }),
    }),
);
