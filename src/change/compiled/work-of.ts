import type { Bytes } from '../../common/bytes.js';
import type { ArgumentValues } from '../../query/compiled/argument-values.js';
import type { Identity } from '../context.js';
import type { WriteProcedure } from '../perform.js';
import type { PayloadJson } from './payload-json.js';

/** The write and the JSON text of its answer; undefined if the resolvers must handle the arguments. */
export type WorkOf = (given: ArgumentValues, identity: Identity) => WriteProcedure<Bytes> | undefined;

export interface CompiledMutation {
  workOf: WorkOf;
  /** The answer in place of an error that the caller can correct, if `userErrors` is selected. */
  refused?: PayloadJson['refused'];
}
