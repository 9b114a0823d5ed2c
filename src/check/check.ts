import type { Inspection } from '../database/inspection.js';
import type { Resource } from '../model/resource.js';

/** Something that always holds in a database whose records were written by gateways, and a look whether it does. */
export interface Check {
  /** What holds, such as `the numbers of lines have no gaps`. */
  holds: string;
  /** What does not: one text for each place, at most `mostTold` for each query. */
  problems(inspection: Inspection, resources: readonly Resource[]): Promise<string[]>;
  /** Whether `--fix` mends it, because what is right follows from the records. */
  isMendable: boolean;
}

/** Places that are named of each problem of each table. */
export const mostTold = 20;
