/** Decides whether a record of the past fulfils a condition, as `condition.ts` has the database decide it for present ones. */
import type { Parent } from '../../../model/resource.js';
import type { Comparison, Condition } from '../../../query/condition.js';
import { holds } from '../../../query/matches.js';
import { type PastRecord, past } from './past-document.js';

/** @throws for a condition that follows links: what they gave then is not known */
export function fulfils(condition: Condition, record: PastRecord): boolean {
  record[past].effort.spend(1);
  switch (condition.kind) {
    case 'and':
      return condition.of.every((each) => fulfils(each, record));
    case 'or':
      return condition.of.some((each) => fulfils(each, record));
    case 'lines': {
      const lines = record[past].linesOf(condition.to.resource);
      return lines.some((line) => fulfils(condition.condition, line)) !== condition.isNone;
    }
    case 'parent': {
      const parent = pastParentOf(condition.to, record);
      return parent ? fulfils(condition.condition, parent) : condition.orNone;
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
  const { effort } = record[past];
  if (value !== null && comparison.kind !== 'null') {
    for (const operand of operandsOf(comparison)) {
      effort.compare(value);
      effort.compare(operand);
    }
  }
  return holds(comparison, value);
}

function operandsOf(comparison: Exclude<Comparison, { kind: 'short' | 'null' }>): readonly unknown[] {
  if (comparison.kind === 'in') return comparison.values;
  return [comparison.kind === 'part' ? comparison.part.text : comparison.value];
}
