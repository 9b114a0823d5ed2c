/** Random queries, valid by construction. */
import fc from 'fast-check';
import { authorColumns, type Resource } from '../../../src/model/resource.js';
import { arbitraryFilter, comparisonOf } from './arbitrary-filter.js';
import { type Column, columnsOf, resourceNamed } from './columns.js';
import {
  type AggregateQuestion,
  type DatePart,
  type ListQuestion,
  type Measure,
  type NestedQuestion,
  type Order,
  orderName,
  type Question,
} from './question.js';
import { isTame, positions } from './values.js';

/** Queries for records of these models, whose ids are given. */
export function arbitraryQuestion(
  models: readonly string[],
  ids: ReadonlyMap<string, readonly string[]>,
): fc.Arbitrary<Question> {
  const each = models.map(resourceNamed);
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...each.map((resource) => listQuestion(resource, ids))) },
    { weight: 2, arbitrary: fc.oneof(...each.map((resource) => aggregateQuestion(resource, ids))) },
  );
}

const oneTo = (max: number) => fc.integer({ min: 1, max });

/** The sizes of a page, which may have no record; lines in a list and groups have one at least. */
const sizes = (max: number) => fc.oneof({ weight: 7, arbitrary: oneTo(max) }, fc.constant(0));

const mostNested = 6;

function listQuestion(resource: Resource, ids: ReadonlyMap<string, readonly string[]>): fc.Arbitrary<ListQuestion> {
  const parents = resource.parents.flatMap((parent) => ids.get(parent.resource.model) ?? []);
  return fc.record({
    kind: fc.constant('list' as const),
    model: fc.constant<string>(resource.model),
    ...(resource.kind === 'child' ? { parentId: fc.constantFrom(...parents, 'none') } : {}),
    where: arbitraryFilter(resource, ids),
    orderBy: orders(resource),
    first: sizes(30),
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, positions),
    goOn: fc.integer({ min: 0, max: 4 }).map((number) => number === 4),
    nested: fc
      .subarray([...resource.lines])
      .chain((lines) =>
        fc.tuple(...lines.map(({ field, resource: child }) => nestedQuestion(field, child, ids, oneTo(mostNested)))),
      ),
    connections: fc
      .subarray([...resource.lines, ...resource.waysBack])
      .chain((lists) =>
        fc.tuple(...lists.map(({ field, resource: other }) => nestedQuestion(field, other, ids, sizes(mostNested)))),
      ),
    links: fc.subarray(resource.links.map(({ field }) => field)),
  });
}

function nestedQuestion(
  field: string,
  child: Resource,
  ids: ReadonlyMap<string, readonly string[]>,
  limit: fc.Arbitrary<number>,
): fc.Arbitrary<NestedQuestion> {
  return fc.record({
    field: fc.constant(field),
    where: arbitraryFilter(child, ids),
    orderBy: orders(child),
    limit,
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, positions),
  });
}

const placed = {
  direction: fc.constantFrom('ASC' as const, 'DESC' as const),
  nulls: fc.constantFrom('FIRST' as const, 'LAST' as const),
};

function orders(resource: Resource): fc.Arbitrary<Order[]> {
  const order = fc.record({
    field: fc.constantFrom(...orderedColumns(resource).map(({ name }) => orderName(name))),
    ...placed,
  });
  return fc.array(order, { maxLength: 3 });
}

function aggregateQuestion(
  resource: Resource,
  ids: ReadonlyMap<string, readonly string[]>,
): fc.Arbitrary<AggregateQuestion> {
  const columns = orderedColumns(resource);
  const measures = columns.flatMap(measuresOf);
  const whole = {
    kind: fc.constant('aggregate' as const),
    model: fc.constant<string>(resource.model),
    where: arbitraryFilter(resource, ids),
    groupBy: fc.uniqueArray(fc.constantFrom(...columns).chain(groupKey), {
      maxLength: 3,
      selector: ({ field }) => field,
    }),
    measures: fc.array(fc.constantFrom(...measures), { maxLength: 4 }),
    having: having(columns, measures),
    first: oneTo(40),
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, positions),
  };
  return fc.record(whole).chain((question) => {
    const keys = question.groupBy.map(({ field }) => field);
    const by = fc.oneof(
      fc.constantFrom(...measures).map(({ of, field }) => ({ measure: of.toUpperCase(), field: orderName(field) })),
      ...(keys.length > 0 ? [fc.constantFrom(...keys).map((field) => ({ field }))] : []),
    );
    const order = fc.tuple(by, fc.record(placed)).map(([what, where]) => ({ ...what, ...where }));
    return fc.array(order, { maxLength: 2 }).map((orderBy) => ({ ...question, orderBy }));
  });
}

function groupKey({ name, type }: Column): fc.Arbitrary<Order & { by?: DatePart }> {
  const field = fc.constant(orderName(name));
  const part = fc.constantFrom<DatePart>('YEAR', 'MONTH', 'DAY');
  const hasParts = type === 'String' || type === 'DateTime';
  const plain = fc.record({ field, ...placed });
  return hasParts ? fc.oneof(plain, fc.record({ field, ...placed, by: part })) : plain;
}

function measuresOf(column: Column): Measure[] {
  const { name: field, isMeasured } = column;
  if (!isMeasured) return [];
  const extremes: Measure[] = [
    { of: 'min', field },
    { of: 'max', field },
  ];
  return isTame(column) ? [{ of: 'sum', field }, { of: 'avg', field }, ...extremes] : extremes;
}

/** Nothing, a condition on the count, or one on a measure. */
function having(columns: Column[], measures: Measure[]): fc.Arbitrary<Record<string, object>> {
  const ofCount = fc.record({ count: comparisonOf({ name: 'idx', type: 'Int' }, new Map()) });
  const ofMeasure = fc.constantFrom(...measures).chain(({ of, field }) => {
    const column = columns.find(({ name }) => name === field);
    if (!column) throw new Error(`${field} is no column`);
    const isNumber = of === 'sum' || of === 'avg';
    return comparisonOf(isNumber ? { ...column, type: 'Float' } : column, new Map()).map((condition) => ({
      [field]: { [of]: condition },
    }));
  });
  const one = fc.oneof(ofCount, ofMeasure);
  const several = fc.array(one, { maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: one },
    fc.record({ or: several }),
    fc.record({ not: fc.oneof(one, fc.record({ and: several })) }),
  );
}

/** Columns to order, group and measure by: all but the authors, which only filters have. */
const orderedColumns = (resource: Resource): Column[] =>
  columnsOf(resource).filter(({ name }) => !authorColumns.some((author) => author === name));
