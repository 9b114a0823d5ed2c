import { type DraftLine, isSameLine, nameOfLine, placeInLine, valuesBy } from '../document/draft.js';
import { lineFields } from '../document/fields.js';
import { mergeOrder } from './merge-order.js';
import { mergeText } from './merge-text.js';
import type { Asker } from './question.js';

/** The lines of the merged repair. Lines are the same if they have the same key. */
export function mergeLines(base: DraftLine[], mine: DraftLine[], theirs: DraftLine[], asker: Asker): DraftLine[] {
  const [inBase, inMine, inTheirs] = [byKey(base), byKey(mine), byKey(theirs)];
  const merged = new Map<string, DraftLine>();
  for (const key of new Set([...inTheirs.keys(), ...inMine.keys()])) {
    const line = mergeLine(inBase.get(key), inMine.get(key), inTheirs.get(key), asker);
    if (line) merged.set(key, line);
  }
  const nameOf = (key: string) => merged.get(key)?.values.itemCode || '?';
  return mergeOrder(keysOf(base), keysOf(mine), keysOf(theirs), { nameOf, asker }).flatMap(
    (key) => merged.get(key) ?? [],
  );
}

/** The merged line; undefined if it is deleted. */
function mergeLine(
  base: DraftLine | undefined,
  mine: DraftLine | undefined,
  theirs: DraftLine | undefined,
  asker: Asker,
): DraftLine | undefined {
  if (mine && theirs) return mergeValues(base ?? theirs, mine, theirs, asker);
  if (!base) return mine ?? theirs;
  // The others have deleted it: what the user has changed in it would be lost, and can be kept as a new line.
  if (mine)
    return isSameLine(mine, base) || askOf(mine, 'mine', asker) === 'theirs' ? undefined : { ...mine, id: null };
  // The user has deleted it: what the others have changed in it would be lost.
  if (theirs) return isSameLine(theirs, base) || askOf(theirs, 'theirs', asker) === 'mine' ? undefined : theirs;
  return undefined;
}

function mergeValues(base: DraftLine, mine: DraftLine, theirs: DraftLine, asker: Asker): DraftLine {
  const values = valuesBy(lineFields, (field) => {
    const { name, label } = field;
    const texts = { base: base.values[name], mine: mine.values[name], theirs: theirs.values[name] };
    const place = placeInLine(theirs.key, name);
    return mergeText(field, texts, { place, label: `${label} of ${nameOfLine(base)}`, asker });
  });
  return { ...theirs, values };
}

/** Asks about a line that one side has changed and the other deleted. */
function askOf(line: DraftLine, changedBy: 'mine' | 'theirs', asker: Asker) {
  const [mine, theirs] = changedBy === 'mine' ? [textOf(line), deleted] : [deleted, textOf(line)];
  return asker.ask(line.key, `The ${nameOfLine(line)}`, mine, theirs);
}

const deleted = 'deleted';

function textOf({ values }: DraftLine): string {
  const filled = lineFields.filter(({ name }) => values[name] !== '');
  return filled.map(({ label, name }) => `${label} ${values[name]}`).join(', ');
}

function byKey(lines: DraftLine[]): Map<string, DraftLine> {
  return new Map(lines.map((line) => [line.key, line]));
}

function keysOf(lines: DraftLine[]): string[] {
  return lines.map(({ key }) => key);
}
