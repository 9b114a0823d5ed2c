import type { FieldNode } from 'graphql';
import type { Bytes } from '../../common/bytes.js';

/** A field in the answer of a compiled operation. */
export interface CompiledField {
  /** The response name. */
  key: string;
  /** The nodes that select it, for the location of an error. */
  nodes: readonly FieldNode[];
  /** The JSON text of its value; undefined if it failed. */
  text: Bytes | undefined;
  /** Why it failed. */
  error?: unknown;
}
