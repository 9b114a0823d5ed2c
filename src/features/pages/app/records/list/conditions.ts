/** What a field can be compared with, by its kind, and what that is for the API. */
import type { FieldAbout } from '../../../about.js';
import { numberIn } from '../form/draft.js';

export interface Condition {
  field: string;
  operator: string;
  /** Two values have `..` between them. */
  value: string;
}

/** A condition as it stands in the address. */
export const keyOf = ({ field, operator, value }: Condition): string => `${field} ${operator} ${value}`.trim();

const forParts = ['contains', 'startsWith', 'endsWith'];
const emptiness = ['isNull', 'isFilled'];
const periods = ['thisMonth', 'lastMonth', 'thisYear'];
const forDates = ['on', 'before', 'after', 'between', ...periods];

const operatorWords: Record<string, string> = {
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  on: 'is on',
  before: 'is before',
  after: 'is after',
  between: 'is between',
  thisMonth: 'is in this month',
  lastMonth: 'is in last month',
  thisYear: 'is in this year',
  isNull: 'is empty',
  isFilled: 'is not empty',
};

/** The words of a comparison; one that nobody can choose is called as the API does. */
export const wordsOf = (operator: string): string => operatorWords[operator] ?? operator;

export function operatorsOf(field: FieldAbout): string[] {
  if (field.isState) return ['eq', 'ne'];
  if (field.type === 'Boolean') return ['eq', ...emptiness];
  if (isInstant(field)) return forDates;
  // A text that is meant to be a date may be another one.
  if (field.formats) return [...forDates, 'contains', ...emptiness];
  if (field.type !== 'String') return ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', ...emptiness];
  return field.knownValues.length > 0
    ? ['eq', 'ne', ...forParts, ...emptiness]
    : [...forParts, 'eq', 'ne', ...emptiness];
}

/** Whether a comparison says all by itself. */
export const needsNoValue = (operator: string): boolean => [...emptiness, ...periods].includes(operator);

/** Whether a comparison is with a day, which is chosen from a calendar. */
export const needsDay = (field: FieldAbout | undefined, operator: string): boolean =>
  Boolean(field?.formats) && forDates.includes(operator);

/** Two values as one text, and back. */
export const pairOf = (first: string, second: string): string => `${first}..${second}`;
const halves = (value: string): [string, string] => {
  const [first = '', second = first] = value.split('..');
  return [first, second];
};

const isNumber = (field: FieldAbout | undefined): boolean => field?.type === 'Float' || field?.type === 'Int';

/** A value as somebody has typed it, for the address. */
export const typedValue = (field: FieldAbout | undefined, text: string): string =>
  isNumber(field) ? String(numberIn(text)) : text;

/** A condition as people read it: `is more than 5`. */
export function conditionWords({ operator, value }: Condition): string {
  if (operator === 'isNull') return wordsOf(value === 'false' ? 'isFilled' : 'isNull');
  if (needsNoValue(operator)) return wordsOf(operator);
  return `${wordsOf(operator)} ${operator === 'between' ? halves(value).join(' and ') : value}`;
}

/** A condition as a filter. A value that is none of the field's goes as it is, so that the gateway says so. */
export function conditionFilter(field: FieldAbout | undefined, { field: name, operator, value }: Condition): object {
  if (emptiness.includes(operator)) return { [name]: { isNull: operator === 'isNull' && value !== 'false' } };
  if (field?.formats && forDates.includes(operator)) return { [name]: days(operator, value, isInstant(field)) };
  if (operator === 'between') {
    const [gte, lte] = halves(value).map((half) => parsed(field, half));
    return { [name]: { gte, lte } };
  }
  const ignored = forParts.includes(operator) ? { ignoreCase: true } : {};
  return { [name]: { [operator]: parsed(field, value), ...ignored } };
}

function parsed(field: FieldAbout | undefined, value: string): unknown {
  if (field?.type === 'Boolean') return truths[value] ?? value;
  if (field?.isState) return value.toUpperCase();
  // As an address has it, a point parts decimals, whoever reads it.
  return isNumber(field) ? numberIn(value, '.') : value;
}

const truths: Record<string, boolean | undefined> = { true: true, false: false };

/** When a record was made or changed is an instant for the API too, and no text. */
const isInstant = ({ name }: FieldAbout): boolean => name === 'createdAt' || name === 'updatedAt';

/** From the first day to before the last: texts of days and of instants have the order of time. Other texts are on no day. */
function days(operator: string, value: string, areInstants: boolean): object {
  const [from, to] = spanOf(operator, value);
  if (!areInstants) return { gte: from || '0', lt: to || ':' };
  const instant = (day: string) => (Number.isNaN(Date.parse(day)) ? day : new Date(`${day}T00:00`).toISOString());
  return { ...(from && { gte: instant(from) }), ...(to && { lt: instant(to) }) };
}

/** The first day of a span, and the first behind it; empty where there is none. */
function spanOf(operator: string, value: string): [from: string, to: string] {
  const today = new Date();
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const [first, last] = halves(value);
  switch (operator) {
    case 'thisMonth':
      return [dayText(year, month, 1), dayText(year, month + 1, 1)];
    case 'lastMonth':
      return [dayText(year, month - 1, 1), dayText(year, month, 1)];
    case 'thisYear':
      return [dayText(year, 0, 1), dayText(year + 1, 0, 1)];
    case 'before':
      return ['', first];
    case 'after':
      return [dayBehind(first), ''];
    default:
      return [first, dayBehind(last)];
  }
}

const dayText = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** The next day; what is no day stays as it is. */
function dayBehind(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return /^\d{4}-\d\d-\d\d$/.test(day) ? dayText(year, month - 1, date + 1) : day;
}
