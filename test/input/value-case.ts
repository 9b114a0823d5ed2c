import type { ProblemCode } from '../../src/errors.js';
import type { Place } from './places.js';

/** Values that fit no field, the same for both surfaces. Names are those of the document; GraphQL is sent its own. */
export interface ValueCase {
  /** What is wrong. */
  what: string;
  on: Place;
  /** The members of a body as JSON text: some of it could not be written as a value of JavaScript. */
  members: string;
  /** What must be reported, by kind: these names, and no others. */
  problems: { [code in ProblemCode]?: readonly string[] };
  /** Only by a create, or only by an update; by both unless given. */
  by?: 'create' | 'update';
  /** A create sends only `members`, without the others that are required. */
  bare?: true;
  /** Something the first message says. */
  says?: string;
}
