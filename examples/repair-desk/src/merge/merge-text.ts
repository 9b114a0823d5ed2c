import { type Field, isSameText } from '../document/fields.js';
import type { Asker } from './question.js';

interface Texts {
  base: string;
  mine: string;
  theirs: string;
}

/** One value, of the repair or of a line. `place` and `label` name it in a question. */
export function mergeText(
  field: Pick<Field, 'type'>,
  { base, mine, theirs }: Texts,
  { place, label, asker }: { place: string; label: string; asker: Asker },
): string {
  if (isSameText(field, mine, base)) return theirs;
  if (isSameText(field, theirs, base) || isSameText(field, mine, theirs)) return mine;
  return asker.ask(place, label, mine, theirs) === 'mine' ? mine : theirs;
}
