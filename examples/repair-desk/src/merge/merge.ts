/**
 * The three-way merge of a repair: `base` is what the user has read, `mine` what they have made of it, `theirs` what
 * others have saved meanwhile. A change of only one side is taken. Where both sides have changed the same value,
 * `choices` decides, and there is a question.
 */
import type { Draft } from '../document/draft.js';
import { valuesBy } from '../document/draft.js';
import { fields } from '../document/fields.js';
import { mergeLines } from './merge-lines.js';
import { mergeText } from './merge-text.js';
import { type Choices, createAsker, type Question } from './question.js';

export interface Merged {
  draft: Draft;
  /** All questions, also those that `choices` answers. */
  questions: Question[];
}

export function merge(base: Draft, mine: Draft, theirs: Draft, choices: Choices = new Map()): Merged {
  const asker = createAsker(choices);
  const values = valuesBy(fields, (field) => {
    const { name, label } = field;
    const texts = { base: base.values[name], mine: mine.values[name], theirs: theirs.values[name] };
    return mergeText(field, texts, { place: name, label, asker });
  });
  const lines = mergeLines(base.lines, mine.lines, theirs.lines, asker);
  return { draft: { values, lines }, questions: asker.questions };
}
