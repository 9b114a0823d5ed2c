/** Something that a caller can do, with the records that it needs and its effect. */
import type { RestCall } from './attempt.js';
import type { Found } from './found.js';

/** The record of a request: a repair with two lines, or one that is to be created with this marker. */
export interface Target {
  marker: string;
  id: string;
  lines: readonly [string, string];
}

export interface Deed {
  name: string;
  kind: 'query' | 'mutation';
  field: string;
  args(target: Target): Record<string, unknown>;
  selection: string;
  /** A selection that only the resolvers answer; absent if SQL answers every selection. */
  resolved?: string;
  /** A selection that contains the given one of a repair; absent if no repair can be reached. */
  inside?(selection: string): string;
  /** The state in which the target must exist; absent if it need not exist. */
  needs?: 'draft' | 'submitted';
  /** How often it has been done to the target. */
  done(found: Found, target: Target): number;
  /** The place of the record's fields among the arguments. */
  input?: readonly (string | number)[];
  /** Arguments that exceed a limit of values. */
  beyond?: Record<string, unknown>;
  /** Whether the answer shows fields of a record. */
  shows: boolean;
  rest?(target: Target): RestCall;
}
