import { product, sum, type Term } from './term.js';

/** What a selection weighs. */
export interface Weight {
  /** Fields within fields. */
  depth: number;
  /** Selections within selections, fragments among them. */
  levels: number;
  /** Fields at the top. */
  width: number;
  /** Fields that do what they tell of, and undo it. */
  previews: number;
  /** Whether there are lines in it. */
  hasLines: boolean;
  /** Whether it goes from a record up to its parent and down to that one's lines again. */
  climbs: boolean;
  /** Values that are there once. */
  once: Term;
  /** Values that are there for each record of the page they belong to. */
  perRecord: Term;
}

/** All values of a selection, when the page it belongs to has so many records. */
export const total = ({ once, perRecord }: Weight, records: Term): Term => sum([once, product(records, perRecord)]);

export const nothing: Weight = {
  depth: 0,
  levels: 0,
  width: 0,
  previews: 0,
  hasLines: false,
  climbs: false,
  once: 0,
  perRecord: 0,
};

/** What selections side by side weigh, within `levels` of others. */
export function together(parts: readonly Weight[], levels: number): Weight {
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
