import type { Problem } from '../../errors.js';
import { snakeOf } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { GroupOrder } from '../../records/aggregate.js';
import { type GroupKey, typeOfField } from '../../records/measure.js';

/**
 * Fields that identify a single record say nothing about a group. Besides, an object with an `id` that is no record
 * would confuse client caches.
 */
export const isOfOneRecord = (field: string): boolean => field === 'id' || field === 'version';

/** Problems of grouping and order that the types of the arguments cannot express. */
export function groupingProblems(
  resource: Resource,
  keys: readonly GroupKey[],
  orders: readonly GroupOrder[],
): Problem[] {
  return [
    ...keys.flatMap((key, index) => keyProblems(resource, key, keys.slice(0, index), ['groupBy', index])),
    ...orders.flatMap((order, index) => orderProblems(resource, order, keys, ['orderBy', index])),
  ];
}

type Path = Problem['path'];

function keyProblems(resource: Resource, { field, by }: GroupKey, before: readonly GroupKey[], path: Path): Problem[] {
  const problems: Problem[] = [];
  if (isOfOneRecord(field)) problems.push(invalid([...path, 'field'], ofOneRecord(field)));
  if (before.some((other) => other.field === field)) {
    problems.push(invalid([...path, 'field'], `is ${enumNameOf(field)} again; group by a field once`));
  }
  const type = typeOfField(resource, field);
  if (by && type !== 'String' && type !== 'DateTime') {
    problems.push(
      invalid([...path, 'by'], `takes a part of a date, but ${enumNameOf(field)} holds none; leave it out`),
    );
  }
  return problems;
}

function orderProblems(
  resource: Resource,
  { measure, field }: GroupOrder,
  keys: readonly GroupKey[],
  path: Path,
): Problem[] {
  const at = [...path, 'field'];
  if (measure === 'count') return field ? [invalid(at, 'says nothing about COUNT; leave it out')] : [];
  if (!field) return [{ path: at, code: 'parameter_missing', message: 'is required, but for COUNT' }];
  if (!measure) {
    const isKey = keys.some((key) => key.field === field);
    return isKey ? [] : [invalid(at, `is ${enumNameOf(field)}, by which is not grouped; say what to measure of it`)];
  }
  if (isOfOneRecord(field)) return [invalid(at, ofOneRecord(field))];
  const type = typeOfField(resource, field);
  if ((measure === 'sum' || measure === 'avg') && type !== 'Float' && type !== 'Int') {
    return [invalid(at, `is ${enumNameOf(field)}, which holds no numbers`)];
  }
  return type === 'Boolean' ? [invalid(at, `is ${enumNameOf(field)}, of which no value is less than the other`)] : [];
}

const invalid = (path: Path, message: string): Problem => ({ path, code: 'parameter_invalid', message });

const ofOneRecord = (field: string): string => `is ${enumNameOf(field)}, which says nothing of several records`;

const enumNameOf = (field: string): string => snakeOf(field).toUpperCase();
