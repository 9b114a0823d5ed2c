/** Something a caller may want done, with what it needs there and what it leaves. */
import type { RestCall } from './attempt.js';
import type { Found } from './found.js';

/** The record a request is about: a repair with two lines, or one that is to be made with this marker. */
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
  /** A selection that only the resolvers answer; left out where nothing of it is left to them alone. */
  resolved?: string;
  /** A selection that holds the given one of a repair; left out where no repair can be reached. */
  inside?(selection: string): string;
  /** The state in which the target has to be there; left out where nothing has to. */
  needs?: 'draft' | 'submitted';
  /** How often it has been done to the target. */
  done(found: Found, target: Target): number;
  /** Where among the arguments the fields of a record stand. */
  input?: readonly (string | number)[];
  /** What goes beyond a limit of the values, as arguments. */
  beyond?: Record<string, unknown>;
  /** Whether it shows more of a record than that it was done. */
  shows: boolean;
  rest?(target: Target): RestCall;
}
