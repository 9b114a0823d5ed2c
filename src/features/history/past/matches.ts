/** Decides whether a record of the past fulfils a filter, as `filter.ts` has the database decide it for present ones. */
import { isObject } from '../../../common/is-object.js';
import { ignoredCase, translate } from '../../../database/ignored-case.js';
import { finderOf } from '../../../database/sqlite/sqlite-functions.js';
import type { Parent, Resource } from '../../../model/resource.js';
import { isTextOperator, type TextOperator } from '../../../query/filter.js';
import { type PastRecord, pastOf } from './past-document.js';

type Filter = Readonly<Record<string, unknown>>;

export function matches(resource: Resource, filter: Filter, record: PastRecord): boolean {
  pastOf(record)?.effort.spend(1);
  return Object.entries(filter).every(([name, value]) => value == null || fulfils(resource, name, value, record));
}

function fulfils(resource: Resource, name: string, value: unknown, record: PastRecord): boolean {
  if (name === 'not') return !matches(resource, filterIn(value), record);
  if (name === 'and') return filtersIn(value).every((each) => matches(resource, each, record));
  if (name === 'or') return filtersIn(value).some((each) => matches(resource, each, record));
  const list = resource.lines.find(({ field }) => field === name);
  if (list) return linesFulfil(list.resource, filterIn(value), pastOf(record)?.linesOf(list.resource) ?? []);
  const parent = resource.parents.find(({ field }) => field === name);
  if (parent) {
    const found = pastParentOf(parent, record);
    return found !== undefined && matches(parent.resource, filterIn(value), found);
  }
  const { ignoreCase, ...operators } = filterIn(value);
  return Object.entries(operators).every(
    ([operator, operand]) => operand == null || compares(operator, record, name, operand, ignoreCase === true),
  );
}

function linesFulfil(line: Resource, { some, every, none }: Filter, lines: readonly PastRecord[]): boolean {
  const fulfil = (filter: unknown) => (each: PastRecord) => matches(line, filterIn(filter), each);
  if (some != null && !lines.some(fulfil(some))) return false;
  if (every != null && !lines.every(fulfil(every))) return false;
  return none == null || !lines.some(fulfil(none));
}

/** The document of a line, if it is of the type of this parent. */
export function pastParentOf({ resource }: Parent, line: PastRecord): PastRecord | undefined {
  const document = pastOf(line);
  return document?.resource === resource ? document.record : undefined;
}

function compares(operator: string, record: PastRecord, name: string, operand: unknown, ignoreCase: boolean): boolean {
  const value = record[name] ?? null;
  const effort = pastOf(record)?.effort;
  for (const each of Array.isArray(operand) ? operand : [operand]) {
    effort?.compare(value);
    effort?.compare(each);
  }
  if (!isTextOperator(operator)) return compare(operator, value, operand);
  return value !== null && hasPart(operator, String(value), String(operand), ignoreCase);
}

function hasPart(operator: TextOperator, value: string, part: string, ignoreCase: boolean): boolean {
  if (ignoreCase) {
    const { from, to, text } = ignoredCase(part);
    return hasPart(operator, translate(value, from, to), text, false);
  }
  if (operator === 'contains') return finderOf(part)(value);
  return operator === 'startsWith' ? value.startsWith(part) : value.endsWith(part);
}

/** Null equals nothing, contains nothing, and is neither less nor greater. */
function compare(operator: string, value: unknown, operand: unknown): boolean {
  if (operator === 'isNull') return (value === null) === operand;
  const isAmong = (others: unknown) =>
    value !== null && Array.isArray(others) && others.some((each) => compareValues(value, each) === 0);
  if (operator === 'in') return isAmong(operand);
  if (operator === 'notIn') return !isAmong(operand);
  if (operator === 'ne') return !isAmong([operand]);
  if (value === null) return false;
  switch (operator) {
    case 'eq':
      return isAmong([operand]);
    case 'lt':
      return compareValues(value, operand) < 0;
    case 'lte':
      return compareValues(value, operand) <= 0;
    case 'gt':
      return compareValues(value, operand) > 0;
    case 'gte':
      return compareValues(value, operand) >= 0;
    default:
      throw new Error(`The filters have an operator that is not known here: ${operator}`);
  }
}

const filterIn = (value: unknown): Filter => (isObject(value) ? value : {});
const filtersIn = (value: unknown): Filter[] => (Array.isArray(value) ? value.map(filterIn) : []);

/** Less than zero if `one` comes first, zero if the two are equal. Texts are compared by code points, as both databases do. */
export function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return one === other ? 0 : compareTexts(one, other);
  const [first, second] = [numberIn(one), numberIn(other)];
  return first === second ? 0 : first - second;
}

function compareTexts(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let place = 0; place < shorter; place++) {
    const [first, second] = [one.charCodeAt(place), other.charCodeAt(place)];
    if (first !== second) return placeOf(first) - placeOf(second);
  }
  return one.length - other.length;
}

/** Surrogates encode characters that sort after all characters of one unit. */
const placeOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Instants by their milliseconds; false comes before true. */
const numberIn = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value));
