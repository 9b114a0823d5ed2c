import { useEffect, useEffectEvent, useState } from 'react';
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { type TypedDocumentNode, useClient } from 'urql';
import { useHidden } from '../api/hidden.js';
import { createRepair, followRepair, readRepair } from '../api/operations.js';
import { addressOf, createInputOf, draftOf, type Repair, whyLocked } from '../api/repair.js';
import { isOvertaken, type Trouble, troubleOf } from '../api/trouble.js';
import type { MistakeFragment } from '../generated/graphql.js';
import { useLive } from '../live/use-live.js';
import { type Changes, changesBetween } from '../merge/changes-between.js';
import type { Choices } from '../merge/merge.js';
import { type Draft, fields, lineFields } from './draft.js';
import { saveMerged } from './save-merged.js';

/** What others have changed between two versions that the user has seen. */
export interface News extends Changes {
  versions: { after: number; upTo: number };
}

interface State {
  /** The repair as it was read last, which the edits began from; null for a new one. */
  base: Repair | null;
  /** The newest state that others have left, which the user may not see yet. */
  newest: Repair | 'deleted' | null;
  /** The shown values that others have changed; they are marked. */
  news: News | null;
  /** What the user has chosen where both sides have changed the same value. */
  choices: Choices;
  /** What has happened last, in words. */
  note: string;
  /** A request of the user is under way. */
  busy: boolean;
  /** How often a save was refused because of open choices. */
  asked: number;
}

type Action<Done> = TypedDocumentNode<{ done: Done | null }, { id: string; expectedVersion: number }>;

/** The form of a repair: its values, what the user does with it, and what others do meanwhile. */
export function useRepairForm(opened: Repair | null) {
  const client = useClient();
  const navigate = useNavigate();
  const hidden = useHidden();
  const [state, setState] = useState<State>({
    ...{ base: opened, newest: null, news: null, choices: new Map(), note: '', busy: false, asked: 0 },
  });
  const form = useForm<Draft>({ defaultValues: draftOf(opened), shouldFocusError: true });
  const { isDirty } = form.formState;
  const { base, newest, choices, busy } = state;
  const set = (changes: Partial<State>) => setState((now) => ({ ...now, ...changes }));
  /** What others have done that the user does not see yet. */
  const newer = newest === 'deleted' || (newest && newest.version > (base?.version ?? 0)) ? newest : null;
  const id = opened?.id ?? '';

  /** Shows a state of the repair, and with it a draft that is not saved yet. */
  function show(repair: Repair, { note = '', draft, seen = repair }: { note?: string; draft?: Draft; seen?: Repair }) {
    const changes = base && seen !== base ? changesBetween(draftOf(base), draftOf(seen)) : null;
    const versions = { after: base?.version ?? 0, upTo: seen.version };
    form.reset(draftOf(repair));
    if (draft) form.reset(draft, { keepDefaultValues: true });
    set({ base: repair, news: changes && { ...changes, versions }, choices: new Map(), note, asked: 0 });
  }

  const showNewer = useEffectEvent((repair: Repair) => show(repair, { note: state.note }));
  useEffect(() => {
    if (newer && newer !== 'deleted' && !busy && !isDirty) showNewer(newer);
  }, [newer, busy, isDirty]);

  /** Answers may overtake each other: an older one changes nothing. */
  function arrive(arrived: Repair | 'deleted') {
    setState((now) => {
      const known = now.newest;
      const isOld = known === 'deleted' || (known && arrived !== 'deleted' && arrived.version < known.version);
      return isOld ? now : { ...now, newest: arrived };
    });
  }

  const live = useLive({
    stream: followRepair,
    subject: id,
    isOn: opened !== null && newest !== 'deleted',
    variables: (after) => ({ id, after }),
    onEvent({ record, deletedId }) {
      if (deletedId !== null) arrive('deleted');
      else if (record) arrive(record);
    },
    onReadAnew: () => void lookAgain(),
  });

  /** Reads what others have saved; without an answer everything stays as it is. */
  async function lookAgain() {
    const { data, error } = await client.query(readRepair, { id }, { requestPolicy: 'network-only' });
    if (data && !error) arrive(data.assetRepair ?? 'deleted');
  }

  /** Does what the user asks for, during which nothing can be entered. */
  async function during(request: () => Promise<void>) {
    form.clearErrors();
    set({ busy: true, note: '' });
    await request();
    set({ busy: false });
  }

  async function create(draft: Draft) {
    const { data, error } = await client.mutation(createRepair, { input: createInputOf(draft, hidden) });
    const repair = data?.done?.record;
    if (!repair) return showTrouble(form, troubleOf(error, data?.done?.userErrors));
    // The blocker of unsaved edits lets a replacement pass.
    await navigate(addressOf(repair), { replace: true });
  }

  async function save(draft: Draft) {
    if (base === null) return create(draft);
    const outcome = await saveMerged(client, base, draft, choices, hidden);
    if (outcome.type === 'saved') return show(outcome.repair, { note: 'Saved.', seen: outcome.onTopOf });
    if (outcome.type === 'refused') return showTrouble(form, outcome.trouble);
    arrive(outcome.newer);
    setState((now) => ({ ...now, asked: now.asked + 1 }));
  }

  /** Submits, cancels or deletes the version that the user sees. @returns the answer, if it was carried out */
  async function act<Done extends { userErrors: MistakeFragment[] }>(action: Action<Done>, { version }: Repair) {
    const { data, error } = await client.mutation(action, { id, expectedVersion: version });
    const done = data?.done;
    if (done?.userErrors.length === 0) return done;
    if (!isOvertaken(done?.userErrors)) return showTrouble(form, troubleOf(error, done?.userErrors));
    await lookAgain();
    const message = 'Nothing was done, because somebody has changed this repair. Look at it, then try again.';
    showTrouble(form, { message, problems: [] });
  }

  return {
    ...{ form, state, set, show, during, act, live, newer, isDirty },
    save() {
      // What the gateway has refused is asked again.
      form.clearErrors();
      void form.handleSubmit((draft) => during(() => save(draft)))();
    },
    saveAsNew: () => void during(() => create(form.getValues())),
    /** Why nothing can be edited: it is submitted, cancelled or gone, or this key may not. */
    locked:
      newer === 'deleted' ? '' : ([base, newer].map((repair) => repair && whyLocked(repair)).find(Boolean) ?? null),
  };
}

export type RepairForm = ReturnType<typeof useRepairForm>;

/** Puts each problem at its field, and moves the focus to the first; what has no field is the message of the form. */
function showTrouble({ setError }: UseFormReturn<Draft>, { message, problems }: Trouble): undefined {
  const messages = [message];
  for (const [index, [place, words]] of problems.entries()) {
    if (isPlace(place)) setError(place, { message: words }, { shouldFocus: index === 0 });
    else messages.push(words);
  }
  setError('root', { message: messages.join(' ') });
}

function isPlace(place: string): place is FieldPath<Draft> {
  const [name, number, part] = place.split('.');
  return (
    fields.some((field) => field.name === place) ||
    (name === 'consumedItems' &&
      Number(number) >= 0 &&
      (part === 'id' || lineFields.some((field) => field.name === part)))
  );
}
