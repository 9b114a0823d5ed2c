/** Random filters: every operator on every type, joined, negated, and by the fields of parents and lines. */
import fc from 'fast-check';
import type { Resource } from '../../../src/model/resource.js';
import { type Column, columnsOf } from './columns.js';
import { partOperators } from './plain-sql.js';
import type { Filter } from './question.js';
import { arbitraryValue, needles } from './values.js';

type Ids = ReadonlyMap<string, readonly string[]>;

/** The depth of conditions: of `and`, `or`, `not`, and from record to record. */
const depth = 3;

export function arbitraryFilter(resource: Resource, ids: Ids, left = depth): fc.Arbitrary<Filter> {
  // Most columns are texts; each type has its turn.
  const types = [...new Set(columnsOf(resource).map(({ type }) => type)), 'String'];
  const column = fc
    .constantFrom(...types)
    .chain((type) => fc.constantFrom(...columnsOf(resource).filter((each) => each.type === type)));
  const field = column.chain((each) =>
    comparisonOf(each, ids).map((condition): Filter => ({ [each.name]: condition })),
  );
  const part = left > 0 ? fc.oneof({ weight: 4, arbitrary: field }, ...joins(resource, ids, left - 1)) : field;
  return fc.oneof(
    { weight: 6, arbitrary: part },
    { weight: 2, arbitrary: fc.tuple(part, part).map((parts): Filter => Object.assign({}, ...parts)) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

function joins(resource: Resource, ids: Ids, left: number): fc.WeightedArbitrary<Filter>[] {
  const below = (to: Resource) => fc.constant(null).chain(() => arbitraryFilter(to, ids, left));
  const list = fc.array(below(resource), { maxLength: 3 });
  const joined = [
    list.map((and): Filter => ({ and })),
    list.map((or): Filter => ({ or })),
    ...resource.lines.map(({ field, resource: child }) =>
      fc.tuple(fc.subarray(['some', 'every', 'none'], { minLength: 1, maxLength: 2 }), below(child), below(child)).map(
        ([quantifiers, one, other]): Filter => ({
          [field]: Object.fromEntries(quantifiers.map((quantifier, index) => [quantifier, index === 0 ? one : other])),
        }),
      ),
    ),
    ...[...resource.parents, ...resource.links].map(({ field, resource: one }) =>
      below(one).map((filter): Filter => ({ [field]: filter })),
    ),
  ];
  const not = below(resource).map((filter): Filter => ({ not: filter }));
  return [{ weight: 3, arbitrary: not }, ...joined.map((arbitrary) => ({ weight: 1, arbitrary }))];
}

/** One or two operators on a column; for texts mostly those that only texts have. */
export function comparisonOf(column: Column, ids: Ids): fc.Arbitrary<Filter> {
  const known = [...ids.values()].flat();
  const isId = column.type === 'ID' && known.length > 0;
  const value = isId ? fc.oneof(fc.constantFrom(...known), arbitraryValue(column)) : arbitraryValue(column);
  const list = fc.array(value, { maxLength: 4 });
  const equal: Operators = { eq: value, ne: value, isNull: fc.boolean() };
  const ordered: Operators = { in: list, notIn: list, lt: value, lte: value, gt: value, gte: value };
  const parts: Operators = Object.fromEntries(partOperators.map((operator) => [operator, needles]));
  const groups = [
    equal,
    ...(column.type === 'Boolean' ? [] : [ordered]),
    ...(column.type === 'String' ? [parts, parts] : []),
  ];
  const one = fc
    .constantFrom(...groups)
    .chain((group) => fc.constantFrom(...Object.entries(group)))
    .chain(([operator, operand]) => {
      const alone = fc.record({ [operator]: operand });
      const inAnyCase = fc.record({ [operator]: operand, ignoreCase: fc.boolean() });
      return partOperators.includes(operator) ? fc.oneof(alone, inAnyCase) : alone;
    });
  return fc.oneof(
    { weight: 4, arbitrary: one },
    fc.tuple(one, one).map(([first, second]) => ({ ...first, ...second })),
  );
}

type Operators = Record<string, fc.Arbitrary<unknown>>;
