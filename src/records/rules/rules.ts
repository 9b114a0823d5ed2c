import type { Problem } from '../../errors.js';
import type { Values } from '../delegate.js';

/** What holds for one record type only. Each type's rules are in a file of their own, named after it. */
export interface Rules {
  /** Looks at the input of an update before anything is written; what it returns is refused. */
  beforeUpdate?(input: Values): Problem[];
}
