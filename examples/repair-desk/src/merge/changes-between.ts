import { type Draft, type DraftLine, nameOfLine, placeInLine } from '../document/draft.js';
import { fields, isSameText, lineFields } from '../document/fields.js';

export interface Changes {
  /** Where `after` has another value or a line that `before` has not; a new line is named by its key. */
  places: Set<string>;
  /** The same and the deleted lines, in words: `Company`, `line BELT added`. */
  words: string[];
}

/** The changes that turn `before` into `after`. */
export function changesBetween(before: Draft, after: Draft): Changes {
  const changes: Changes = { places: new Set(), words: [] };
  for (const field of fields) {
    if (isSameText(field, before.values[field.name], after.values[field.name])) continue;
    changes.places.add(field.name);
    changes.words.push(field.label);
  }
  const earlier = new Map(before.lines.map((line) => [line.key, line]));
  for (const line of after.lines) addLine(changes, earlier.get(line.key), line);
  const later = new Set(after.lines.map(({ key }) => key));
  for (const line of before.lines) if (!later.has(line.key)) changes.words.push(`${nameOfLine(line)} removed`);
  if (isMoved(before.lines, after.lines)) changes.words.push('order of the lines');
  return changes;
}

function addLine({ places, words }: Changes, before: DraftLine | undefined, after: DraftLine): void {
  if (!before) {
    places.add(after.key);
    words.push(`${nameOfLine(after)} added`);
    return;
  }
  for (const field of lineFields) {
    if (isSameText(field, before.values[field.name], after.values[field.name])) continue;
    places.add(placeInLine(after.key, field.name));
    words.push(`${field.label} of ${nameOfLine(before)}`);
  }
}

/** Whether the lines that are in both stand in another order. */
function isMoved(before: DraftLine[], after: DraftLine[]): boolean {
  const [earlier, later] = [keysOf(before), keysOf(after)];
  const [inEarlier, inLater] = [new Set(earlier), new Set(later)];
  const kept = later.filter((key) => inEarlier.has(key));
  return earlier.filter((key) => inLater.has(key)).some((key, place) => key !== kept[place]);
}

function keysOf(lines: DraftLine[]): string[] {
  return lines.map(({ key }) => key);
}
