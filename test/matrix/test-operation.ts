/** An operation with which the guards are tested: what it is called with, and how its effect is counted. */
import type { RestCall } from './calls.js';
import type { StoredRecords } from './stored-records.js';

/** The record of a request: a repair with two lines, or one that is to be created with this marker. */
export interface Target {
  marker: string;
  id: string;
  lines: readonly [string, string];
}

export interface TestOperation {
  name: string;
  kind: 'query' | 'mutation';
  field: string;
  args(target: Target): Record<string, unknown>;
  selection: string;
  /** A selection that only the resolvers answer; absent if SQL answers every selection. */
  resolved?: string;
  /** The selection of the field that applies `selection` to a repair; absent if no repair can be reached. */
  selectRepair?(selection: string): string;
  /** The state in which the target must exist; absent if it need not exist. */
  needs?: 'draft' | 'submitted';
  /** How often the operation took effect on the target. */
  timesDone(stored: StoredRecords, target: Target): number;
  /** The path to the fields of the record in the arguments. */
  inputPath?: readonly (string | number)[];
  /** Arguments with a list or a page that is longer than permitted. */
  argsOverLimit?: Record<string, unknown>;
  /** Whether the answer shows fields of a record. */
  showsRecord: boolean;
  /** The same operation in REST; absent if REST does not have it. */
  rest?(target: Target): RestCall;
}
