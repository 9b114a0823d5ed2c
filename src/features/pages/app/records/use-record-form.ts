import { useCallback, useRef, useState } from 'react';
import { askAll, askOnce, type Problem, Refusal, useAbout } from '../api/graphql.js';
import { wordsFor } from '../ui/controls.js';
import { changesIn, draftOf, merged, type RecordProps, type RecordValues } from './draft.js';
import { canSave, recordOperation, saveOperation } from './operations.js';

export interface FormProps extends RecordProps {
  /** Resolves when the page shows what was saved. */
  onSaved(version: number): Promise<void>;
  onCancel(): void;
  onReload(): void;
}

/** How far a save has come: it is being tried, what it would change, or what somebody else has changed in the meantime. */
type Step =
  | { is: 'trying' }
  | { is: 'tried'; fields: string[]; lines: { list: string; created: number; updated: string[]; deleted: string[] }[] }
  | { is: 'conflict'; now: RecordValues };

type Payload = { record: { id: string; version: number } | null; changes?: Omit<Extract<Step, { is: 'tried' }>, 'is'> };

/** The form of a record: what has been typed, what is wrong with it, and the way from a try to a save. */
export function useRecordForm({ type, record, onSaved }: FormProps) {
  const about = useAbout();
  const [before] = useState(() => draftOf(type, record, about));
  const [draft, setDraft] = useState(before);
  const [step, setStep] = useState<Step>();
  const [problems, setProblems] = useState<Problem[]>([]);
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const input = changesIn(type, before, draft, about);
  const tries = canSave(type);
  // If the dialog is closed while a save is tried, the outcome is not shown.
  const attempt = useRef(0);
  const problemAt = useCallback(
    (place: string) =>
      problems.flatMap(({ extensions }) => extensions?.errors ?? []).find(({ param }) => param === place)?.message,
    [problems],
  );

  const send = async (variables: Record<string, unknown>, sent = input) => {
    const mine = ++attempt.current;
    setProblem('');
    setProblems([]);
    try {
      const operation = saveOperation(type, { id: record.id, input: sent, ...variables });
      const data = await askOnce<Record<string, Payload>>(operation);
      return mine === attempt.current ? Object.values(data)[0] : undefined;
    } catch (error) {
      if (mine !== attempt.current) return undefined;
      setStep(undefined);
      if (error instanceof Refusal && error.code === 'VERSION_CONFLICT') setProblem(await showConflict());
      else {
        if (error instanceof Refusal) setProblems(error.problems);
        setProblem(wordsFor(error));
      }
      return undefined;
    }
  };

  /** Saves, and is busy until the page shows what was saved. */
  const saveAs = async (expectedVersion: number, sent = input) => {
    setIsBusy(true);
    try {
      const saved = await send({ expectedVersion }, sent);
      if (saved?.record) await onSaved(saved.record.version);
    } finally {
      setIsBusy(false);
    }
  };

  /** Shows what is there now; answers why it cannot, or an empty text. */
  const showConflict = async (): Promise<string> => {
    try {
      const operation = recordOperation(type, record.id, about);
      const now = (await askAll<Record<string, RecordValues | null>>(operation))[type.one];
      if (!now) return 'Somebody has deleted this record in the meantime.';
      setStep({ is: 'conflict', now });
      return '';
    } catch (error) {
      return `Somebody else has changed it, so nothing has been saved. What is there now could not be read: ${wordsFor(error)}`;
    }
  };

  return {
    draft,
    input,
    step,
    problem,
    isBusy,
    canSaveLines: tries,
    change: setDraft,
    close: () => {
      attempt.current++;
      setStep(undefined);
    },
    problemAt,
    /** A dry run, where the type has one; else only what has been changed in the form. */
    tryOut: async () => {
      if (Object.keys(input).length === 0) return setProblem('Nothing has been changed.');
      if (!tries) return setStep({ is: 'tried', fields: Object.keys(input), lines: [] });
      setStep({ is: 'trying' });
      const found = await send({ expectedVersion: record.version, validateOnly: true });
      if (found?.changes) setStep({ is: 'tried', ...found.changes });
    },
    save: () => saveAs(record.version),
    /** Saves what has been typed on top of what others have saved: nothing that only they have changed is undone. */
    saveOver: async (now: RecordValues) => {
      const theirs = draftOf(type, now, about);
      await saveAs(now.version, changesIn(type, theirs, merged(before, draft, theirs), about));
    },
  };
}

export type RecordFormState = ReturnType<typeof useRecordForm>;
