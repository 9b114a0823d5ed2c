/** What is wrong with a form, in the words that stand at its fields. */
import { type About, type FieldAbout, listsOf, type TypeAbout } from '../../../about.js';
import { type Problem, Refusal } from '../../api/problems.js';
import { labelOf } from '../list/rows.js';
import { type Draft, placingFields, shownFields } from './draft.js';

/** What is wrong with one field: `place` is as the input names it, such as `input.consumedItems[3].itemCode`. */
export interface FieldProblem {
  place: string;
  /** "Item code is required"; of a line "Line 4: Item code is required". */
  words: string;
}

/** What the gateway, or the form itself, finds wrong with fields. */
export const fieldProblems = (error: unknown): FieldProblem[] =>
  (error instanceof Refusal ? error.problems : [])
    .flatMap(({ extensions }) => extensions?.errors ?? [])
    .map(({ param, code, message }) => {
      const [, index] = /\[(\d+)\]/.exec(param) ?? [];
      const said = code === 'parameter_missing' ? 'is required' : message.replace(/^`[^`]+` /, '');
      const words = `${labelOf(lastName(param))} ${said.replace(/`input\.([^`]+)`/g, (_, path) => `“${labelOf(lastName(path))}”`)}`;
      return { place: param, words: index === undefined ? words : `Line ${Number(index) + 1}: ${words}` };
    });

/** `input.consumedItems[3].itemCode` → `itemCode`. */
const lastName = (place: string): string => place.replace(/^.*\./, '');

/** What is missing in a new record. The gateway tries saves, but no creates: it would say so only after the dialog. */
export function missingIn(type: TypeAbout, draft: Draft, about: About): Refusal | undefined {
  const errors = [
    ...missingOf([...shownFields(type), ...placingFields(type)], draft.fields, 'input'),
    ...listsOf(type, about).flatMap(({ own, field }) =>
      (draft.lines[field] ?? []).flatMap((line, index) =>
        missingOf(shownFields(own), line.fields, `input.${field}[${index}]`),
      ),
    ),
  ];
  const problem: Problem = { message: 'Something is missing.', extensions: { code: 'BAD_USER_INPUT', errors } };
  return errors.length > 0 ? new Refusal([problem]) : undefined;
}

const missingOf = (fields: readonly FieldAbout[], texts: Draft['fields'], within: string) =>
  fields
    .filter(({ name, required }) => required && !texts[name])
    .map(({ name }) => ({ param: `${within}.${name}`, code: 'parameter_missing', message: 'is required' }));
