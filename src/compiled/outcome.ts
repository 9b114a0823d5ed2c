import type { FieldNode } from 'graphql';
import type { Bytes } from '../bytes.js';

/** One field of the answer of a compiled operation. */
export interface CompiledField {
  /** The name under which it is answered. */
  key: string;
  /** Those that ask for it, for the place of an error. */
  nodes: readonly FieldNode[];
  /** The JSON text of its value; undefined where it failed. */
  text: Bytes | undefined;
  /** Why it failed. */
  error?: unknown;
}
