/**
 * The three-way merge of a repair: `base` is what the user has read, `mine` what they have made of it, `theirs` what
 * others have saved meanwhile. A change of only one side is taken. Where both sides have changed the same value,
 * `choices` decides, and there is a question.
 */
import {
  type Draft,
  type DraftLine,
  type Field,
  fields,
  isSameLine,
  isSameText,
  lineFields,
  nameOfLine,
  type Texts,
  textsOf,
} from '../document/draft.js';
import { keysOf, mergeOrder } from './merge-order.js';

export type Side = 'mine' | 'theirs';

/** Something that both sides have changed, each in another way, so that the user must choose. */
export interface Question {
  /** Contains the place and both values, so that a choice is no longer valid once one of them changes. */
  key: string;
  label: string;
  /** What would stand there, for people. */
  mine: string;
  theirs: string;
}

/** What the user has chosen, by the key of the question. */
export type Choices = ReadonlyMap<string, Side>;

/** Asks which side is to stand at a place. @returns the choice; the user's own side until something is chosen */
export type Ask = (place: string, label: string, mine: string, theirs: string) => Side;

/** The merged repair, and all questions, also those that `choices` answers. */
export function merge(
  base: Draft,
  mine: Draft,
  theirs: Draft,
  choices: Choices = new Map(),
): { draft: Draft; questions: Question[] } {
  const questions: Question[] = [];
  const ask: Ask = (place, label, mine, theirs) => {
    const key = JSON.stringify([place, mine, theirs]);
    questions.push({ key, label, mine, theirs });
    return choices.get(key) ?? 'mine';
  };
  const values = mergeTexts(fields, base, mine, theirs, (field, ...texts) => ask(field.name, field.label, ...texts));
  const consumedItems = mergeLines(base.consumedItems, mine.consumedItems, theirs.consumedItems, ask);
  return { draft: { ...values, consumedItems }, questions };
}

/** The lines of the merged repair. Lines are the same if they have the same key. */
function mergeLines(base: DraftLine[], mine: DraftLine[], theirs: DraftLine[], ask: Ask): DraftLine[] {
  const [inBase, inMine, inTheirs] = [byKey(base), byKey(mine), byKey(theirs)];
  const merged = new Map<string, DraftLine>();
  for (const key of new Set([...inTheirs.keys(), ...inMine.keys()])) {
    const line = mergeLine(inBase.get(key), inMine.get(key), inTheirs.get(key), ask);
    if (line) merged.set(key, line);
  }
  const nameOf = (key: string) => merged.get(key)?.itemCode || '?';
  const order = mergeOrder(keysOf(base), keysOf(mine), keysOf(theirs), { nameOf, ask });
  return order.flatMap((key) => merged.get(key) ?? []);
}

/** The merged line; undefined if it is deleted. */
function mergeLine(
  base: DraftLine | undefined,
  mine: DraftLine | undefined,
  theirs: DraftLine | undefined,
  ask: Ask,
): DraftLine | undefined {
  if (mine && theirs) {
    const before = base ?? theirs;
    const askOf = ({ name, label }: Field, one: string, other: string) =>
      ask(`${theirs.key}.${name}`, `${label} of ${nameOfLine(before)}`, one, other);
    return { ...theirs, ...mergeTexts(lineFields, before, mine, theirs, askOf) };
  }
  if (!base) return mine ?? theirs;
  const label = `The ${nameOfLine(base)}`;
  // The others have deleted it: what the user has changed in it would be lost, and can be kept as a new line.
  if (mine && !isSameLine(mine, base) && ask(mine.key, label, wordsOf(mine), 'deleted') === 'mine')
    return { ...mine, id: null };
  // The user has deleted it: what the others have changed in it would be lost.
  if (theirs && !isSameLine(theirs, base) && ask(theirs.key, label, 'deleted', wordsOf(theirs)) === 'theirs')
    return theirs;
  return undefined;
}

function mergeTexts<Of extends readonly Field[]>(
  those: Of,
  base: Texts<Of>,
  mine: Texts<Of>,
  theirs: Texts<Of>,
  ask: (field: Field, mine: string, theirs: string) => Side,
): Texts<Of> {
  return textsOf(those, (field) => {
    const name: Of[number]['name'] = field.name;
    const [before, here, there] = [base[name], mine[name], theirs[name]];
    if (isSameText(field, here, before)) return there;
    if (isSameText(field, there, before) || isSameText(field, here, there)) return here;
    return ask(field, here, there) === 'mine' ? here : there;
  });
}

function wordsOf(line: DraftLine): string {
  const filled = lineFields.filter(({ name }) => line[name] !== '');
  return filled.map(({ label, name }) => `${label} ${line[name]}`).join(', ');
}

function byKey(lines: DraftLine[]): Map<string, DraftLine> {
  return new Map(lines.map((line) => [line.key, line]));
}
