/** The state of the form, and how actions change it. It has no effects: those are in use-repair-form.ts. */
import { draftOf, type Repair } from '../api/repair.js';
import type { Trouble } from '../api/trouble.js';
import { type Changes, changesBetween } from '../merge/changes-between.js';
import type { Choices, Side } from '../merge/question.js';
import { type Draft, isSameDraft } from './draft.js';
import type { Edit } from './edits.js';

export interface FormState {
  /** The repair as it was read last, which the draft began from; null for a new one. */
  base: Repair | null;
  draft: Draft;
  /** What others have saved meanwhile, while the user has unsaved edits. */
  newer: Repair | 'deleted' | null;
  /** What the user has chosen where both sides have changed the same value. */
  choices: Choices;
  /** The shown values that others have changed; they are marked. */
  news: Changes | null;
  trouble: Trouble | null;
  /** How many requests have failed so far. */
  failures: number;
  /** What has happened last, in words. */
  note: string;
  /** A request of the user is under way. */
  busy: boolean;
}

export type FormAction =
  | { type: 'edited'; place: string; edit: Edit }
  | { type: 'chosen'; question: string; side: Side }
  | { type: 'begun' }
  /** What the user asked for is done. */
  | { type: 'done'; repair: Repair; note: string; news: Changes | null }
  | { type: 'failed'; trouble: Trouble | null }
  /** The repair as others have left it. */
  | { type: 'arrived'; newer: Repair | 'deleted' }
  /** The user continues with this draft, on top of what others have saved. */
  | { type: 'rebased'; base: Repair; draft: Draft; note: string };

export function openForm(base: Repair | null): FormState {
  const draft = draftOf(base);
  return {
    base,
    draft,
    newer: null,
    choices: new Map(),
    news: null,
    trouble: null,
    failures: 0,
    note: '',
    busy: false,
  };
}

export function isEdited({ base, draft }: FormState): boolean {
  return !isSameDraft(draft, draftOf(base));
}

export function nextState(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'edited':
      return { ...state, draft: action.edit(state.draft), trouble: without(state.trouble, action.place), note: '' };
    case 'chosen':
      return { ...state, choices: new Map(state.choices).set(action.question, action.side) };
    case 'begun':
      return { ...state, busy: true, trouble: null, note: '' };
    case 'done':
      return settled({ ...openForm(action.repair), newer: state.newer, news: action.news, note: action.note });
    case 'failed':
      return settled({ ...state, busy: false, trouble: action.trouble, failures: state.failures + 1 });
    case 'arrived':
      return settled({ ...state, newer: newest(state.newer, action.newer) });
    case 'rebased': {
      const news = changesBetween(draftOf(state.base), draftOf(action.base));
      return { ...openForm(action.base), draft: action.draft, news, note: action.note };
    }
  }
}

/** Shows at once what others have saved, unless the user has edits or waits for an answer. */
function settled(state: FormState): FormState {
  const { base, newer, busy } = state;
  if (busy || newer === null || newer === 'deleted') return state;
  if (base && newer.version <= base.version) return { ...state, newer: null };
  if (isEdited(state)) return state;
  const news = changesBetween(draftOf(base), draftOf(newer));
  return { ...openForm(newer), news, trouble: state.trouble, failures: state.failures, note: state.note };
}

/** Answers may overtake each other: an older one changes nothing. */
function newest(known: FormState['newer'], arrived: Repair | 'deleted'): Repair | 'deleted' {
  if (known === null || arrived === 'deleted') return arrived;
  return known === 'deleted' || known.version > arrived.version ? known : arrived;
}

function without(trouble: Trouble | null, place: string): Trouble | null {
  if (!trouble?.problems.has(place)) return trouble;
  const problems = new Map(trouble.problems);
  problems.delete(place);
  return { ...trouble, problems };
}
