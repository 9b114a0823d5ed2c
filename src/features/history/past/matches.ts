/** Decides whether a record of the past fulfils a condition, as `condition.ts` has the database decide it for present ones. */
import { translate } from '../../../database/ignored-case.js';
import { finderOf } from '../../../database/sqlite/sqlite-functions.js';
import type { Parent } from '../../../model/resource.js';
import type { Comparison, Condition, Sign, TextOperator } from '../../../query/condition.js';
import { type PastRecord, past } from './past-document.js';

/** @throws for a condition that follows links: what they gave then is not known */
export function matches(condition: Condition, record: PastRecord): boolean {
  record[past].effort.spend(1);
  switch (condition.kind) {
    case 'and':
      return condition.of.every((each) => matches(each, record));
    case 'or':
      return condition.of.some((each) => matches(each, record));
    case 'lines': {
      const lines = record[past].linesOf(condition.to.resource);
      return lines.some((line) => matches(condition.condition, line)) !== condition.isNone;
    }
    case 'parent': {
      const parent = pastParentOf(condition.to, record);
      return parent ? matches(condition.condition, parent) : condition.orNone;
    }
    case 'link':
    case 'short':
      throw new Error('What a link gave in the past is not known');
    default:
      return compares(condition, record);
  }
}

/** The document of a line, if it is of the type of this parent. */
export function pastParentOf({ resource }: Parent, line: PastRecord): PastRecord | undefined {
  const document = line[past];
  return document.resource === resource ? document.record : undefined;
}

function compares(comparison: Exclude<Comparison, { kind: 'short' }>, record: PastRecord): boolean {
  const value = record[comparison.field] ?? null;
  if (comparison.kind === 'null') return (value === null) !== comparison.isNot;
  if (value === null) return false;
  const { effort } = record[past];
  const spendOn = (operand: unknown) => {
    effort.compare(value);
    effort.compare(operand);
  };
  switch (comparison.kind) {
    case 'compare':
      spendOn(comparison.value);
      return signs[comparison.operator](compareValues(value, comparison.value));
    case 'in':
      for (const each of comparison.values) spendOn(each);
      return comparison.values.some((each) => compareValues(value, each) === 0) !== comparison.isNot;
    case 'part': {
      const { operator, part, isNot } = comparison;
      const { from, to, text } = part;
      spendOn(text);
      const whole = from === '' ? String(value) : translate(String(value), from, to);
      return hasPart[operator](whole, text) !== isNot;
    }
  }
}

const hasPart: Record<TextOperator, (text: string, part: string) => boolean> = {
  contains: (text, part) => finderOf(part)(text),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
};

const signs: Record<Sign, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

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
