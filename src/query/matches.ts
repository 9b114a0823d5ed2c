/** Decides in this process whether a record fulfils a condition, as `condition.ts` has the database decide it. */
import { translate } from '../database/ignored-case.js';
import { finderOf } from '../database/sqlite/sqlite-functions.js';
import type { Lines, Parent } from '../model/resource.js';
import { type Comparison, type Condition, leavesOf, type Sign, type TextOperator } from './condition.js';

/** What is known besides a record. */
export interface Neighbours<Row> {
  linesOf(record: Row, lines: Lines): readonly Row[];
  parentOf(line: Row, parent: Parent): Row | undefined;
  /** Called for each part of a condition before it is decided. */
  onPart(part: Condition, record: Row): void;
}

/** Columns are compared by their names; conditions on others are decided by what `around` knows. @throws for those of more */
export function matches<Row extends Readonly<Record<string, unknown>>>(
  condition: Condition,
  record: Row,
  around?: Neighbours<Row>,
): boolean {
  around?.onPart(condition, record);
  switch (condition.kind) {
    case 'and':
      return condition.of.every((each) => matches(each, record, around));
    case 'or':
      return condition.of.some((each) => matches(each, record, around));
    case 'lines': {
      const isMet = around?.linesOf(record, condition.to).some((line) => matches(condition.condition, line, around));
      if (isMet !== undefined) return isMet !== condition.isNone;
      break;
    }
    case 'parent': {
      if (!around) break;
      const parent = around.parentOf(record, condition.to);
      return parent ? matches(condition.condition, parent, around) : condition.orNone;
    }
    case 'link':
    case 'short':
      break;
    default:
      return holds(condition, record[condition.field] ?? null);
  }
  throw new Error(`It is not known whether a record fulfils a condition of the kind ${condition.kind}`);
}

export const columnsIn = (condition: Condition): string[] =>
  leavesOf(condition).flatMap((leaf) => ('field' in leaf ? leaf.field : []));

function holds(comparison: Exclude<Comparison, { kind: 'short' }>, value: unknown): boolean {
  if (comparison.kind === 'null') return (value === null) !== comparison.isNot;
  if (value === null) return false;
  switch (comparison.kind) {
    case 'compare':
      return signs[comparison.operator](compareValues(value, comparison.value));
    case 'in':
      return comparison.values.some((each) => compareValues(value, each) === 0) !== comparison.isNot;
    case 'part': {
      const { operator, part, isNot } = comparison;
      const { from, to, text } = part;
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
