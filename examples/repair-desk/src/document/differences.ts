import { fields, lineFields } from '../api/repair.js';
import type { Draft, DraftLine } from './draft.js';

/** A place where the form and the newer record differ. */
export interface Difference {
  label: string;
  mine: string;
  theirs: string;
  /** Who has moved away from what the form was read as. */
  changedBy: 'you' | 'others' | 'both';
}

/** Where `mine` and `theirs` differ, both begun from `base`: the fields first, then the lines. */
export function differencesOf(mine: Draft, theirs: Draft, base: Draft): Difference[] {
  return [
    ...fields.map(({ label, name }) => compare(label, mine.values[name], theirs.values[name], base.values[name])),
    ...lineKeys(mine, theirs).map((key) => {
      const line = lineAt(mine, key) ?? lineAt(theirs, key);
      return compare(`Line ${line?.values.itemCode || '(new)'}`, ...textsOf([mine, theirs, base], key));
    }),
  ].filter(({ mine: here, theirs: there }) => here !== there);
}

function compare(label: string, mine: string, theirs: string, base: string): Difference {
  const changedBy = theirs === base ? 'you' : mine === base ? 'others' : 'both';
  return { label, mine, theirs, changedBy };
}

function textsOf(drafts: [Draft, Draft, Draft], key: string): [string, string, string] {
  const [mine, theirs, base] = drafts;
  return [textOf(lineAt(mine, key)), textOf(lineAt(theirs, key)), textOf(lineAt(base, key))];
}

function lineKeys(mine: Draft, theirs: Draft): string[] {
  return [...new Set([...theirs.lines, ...mine.lines].map(({ key }) => key))];
}

function lineAt({ lines }: Draft, key: string): DraftLine | undefined {
  return lines.find((line) => line.key === key);
}

/** A line in a few words; an empty text where there is none. */
function textOf(line: DraftLine | undefined): string {
  if (!line) return '';
  return lineFields
    .filter(({ name }) => line.values[name] !== '')
    .map(({ label, name }) => `${label} ${line.values[name]}`)
    .join(', ');
}
