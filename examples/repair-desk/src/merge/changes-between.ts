import { type Draft, type DraftLine, fields, isSameText, lineFields, nameOfLine } from '../document/draft.js';
import { isSameOrder, keysOf } from './merge-order.js';

export interface Changes {
  /** The fields that have another value, lines that are new, by their key, and fields of lines: `<key>.itemCode`. */
  places: Set<string>;
  /** The same and the deleted lines, in words: `Company`, `line BELT added`. */
  words: string[];
}

/** The changes that turn `before` into `after`. */
export function changesBetween(before: Draft, after: Draft): Changes {
  const [earlier, later] = [before.consumedItems, after.consumedItems];
  const changes = fields
    .filter((field) => !isSameText(field, before[field.name], after[field.name]))
    .map(({ name, label }): Change => [name, label]);
  for (const line of later)
    changes.push(
      ...changesOf(
        earlier.find(({ key }) => key === line.key),
        line,
      ),
    );

  const removed = earlier.filter(({ key }) => !keysOf(later).includes(key));
  const kept = keysOf(later).filter((key) => keysOf(earlier).includes(key));
  const isMoved = !isSameOrder(kept, keysOf(earlier.filter((line) => !removed.includes(line))));
  return {
    places: new Set(changes.map(([place]) => place)),
    words: [
      ...changes.map(([, words]) => words),
      ...removed.map((line) => `${nameOfLine(line)} removed`),
      ...(isMoved ? ['order of the lines'] : []),
    ],
  };
}

type Change = [place: string, words: string];

function changesOf(before: DraftLine | undefined, after: DraftLine): Change[] {
  if (!before) return [[after.key, `${nameOfLine(after)} added`]];
  const changed = lineFields.filter((field) => !isSameText(field, before[field.name], after[field.name]));
  return changed.map(({ name, label }) => [`${after.key}.${name}`, `${label} of ${nameOfLine(before)}`]);
}
