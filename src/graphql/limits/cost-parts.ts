import { type CostTerm, product, sum } from './cost-term.js';

/** The weight of a selection. */
export interface SelectionCost {
  /** Levels of nested fields. */
  depth: number;
  /** Levels of nested selections, including those of fragments. */
  levels: number;
  /** Fields at the top level. */
  width: number;
  /** `previewAction` fields. */
  previews: number;
  /** Whether it selects lines. */
  hasLines: boolean;
  /** Whether it goes from a record to its parent and from there to the parent's lines. */
  climbs: boolean;
  /** Values that occur once. */
  once: CostTerm;
  /** Values that occur for each record of the surrounding page. */
  perRecord: CostTerm;
}

/** The values of a selection when the surrounding page has `records` records. */
export const totalCost = ({ once, perRecord }: SelectionCost, records: CostTerm): CostTerm =>
  sum([once, product(records, perRecord)]);

export const nothing: SelectionCost = {
  depth: 0,
  levels: 0,
  width: 0,
  previews: 0,
  hasLines: false,
  climbs: false,
  once: 0,
  perRecord: 0,
};

/** The combined weight of sibling selections; `levels` is that of the selection that holds them. */
export function combined(parts: readonly SelectionCost[], levels: number): SelectionCost {
  return {
    depth: Math.max(0, ...parts.map(({ depth }) => depth)),
    levels,
    width: parts.reduce((width, part) => width + part.width, 0),
    previews: parts.reduce((previews, part) => previews + part.previews, 0),
    hasLines: parts.some(({ hasLines }) => hasLines),
    climbs: parts.some(({ climbs }) => climbs),
    once: sum(parts.map(({ once }) => once)),
    perRecord: sum(parts.map(({ perRecord }) => perRecord)),
  };
}
