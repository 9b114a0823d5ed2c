/** Messages for unknown names. */
import { nearest } from '../../common/nearest.js';

/** The message for a name that is not in `known`. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = name.length <= 100 ? nearest(name, known) : undefined;
  return `is not a name that is known here; ${meant ? `did you mean \`${meant}\`?` : 'leave it out, or correct it'}`;
}

/** A name, shortened for an error message. */
export const shortenedName = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}…`);
