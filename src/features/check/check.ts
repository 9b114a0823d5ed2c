import type { Inspection } from '../../database/inspection.js';
import type { Resource } from '../../model/resource.js';

/** An invariant of a database that only gateways have written, and the queries that check it. */
export interface Check {
  /** The invariant as a sentence, such as `the numbers of lines have no gaps`. */
  holds: string;
  /** The violations: one text for each place, at most `mostPlaces` for each query. */
  problems(inspection: Inspection, resources: readonly Resource[]): Promise<string[]>;
  /** Whether `--fix` repairs it, because the right value can be derived from the records. */
  isMendable: boolean;
}

/** The most places that are named for each problem of each table. */
export const mostPlaces = 20;
