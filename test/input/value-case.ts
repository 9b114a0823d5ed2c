import type { ProblemCode } from '../../src/model/errors/problem.js';
import type { Place } from './places.js';

/** Invalid values, the same for both surfaces. Names are those of the document; they are converted for GraphQL. */
export interface ValueCase {
  /** What is wrong. */
  what: string;
  on: Place;
  /** The members of a body as JSON text: some of it could not be written as a value of JavaScript. */
  members: string;
  /** The names that must be reported, by kind, and no others. */
  problems: { [code in ProblemCode]?: readonly string[] };
  /** Only for a create, or only for an update; for both by default. */
  by?: 'create' | 'update';
  /** A create sends only `members`, without the others that are required. */
  bare?: true;
  /** A part of the first message. */
  says?: string;
}
