import { useCallback, useMemo, useState } from 'react';
import { askOnce, useAbout, useAttempt } from '../../api/graphql.js';
import { wordsFor } from '../../api/problems.js';
import { canSave, createOperation, saveOperation } from '../operations.js';
import { readRecord } from '../record/past.js';
import { changesIn, type Draft, draftOf, merged, type RecordProps, type RecordValues } from './draft.js';
import { fieldProblems, missingIn } from './form-problems.js';

export interface FormProps extends RecordProps {
  /** What a new record begins with. The `record` then has no id and the version 0. */
  begun?: Draft | undefined;
  /** Resolves when the page shows what was saved. */
  onSaved(version: number, id: string): Promise<void>;
  onCancel(): void;
  onReload(): void;
}

interface Changes {
  fields: string[];
  lines: { list: string; created: number; updated: string[]; deleted: string[] }[];
}

/** What an attempt has found: what a save would change, or the record that somebody else has changed in the meantime. */
interface Found {
  changes?: Changes | undefined;
  now?: RecordValues;
}

type Payload = { record: { id: string; version: number } | null; changes?: Changes };

/** A save on top of a version, `after` a look at what was found; without it, the save is only tried. */
interface Attempt {
  input: Record<string, unknown>;
  expectedVersion: number;
  after?: Found | undefined;
}

/** The form of a record: what has been typed, what is wrong with it, and the way from a try to a save. */
export function useRecordForm({ type, record, begun, onSaved }: FormProps) {
  const about = useAbout();
  const isNew = record.version === 0;
  const [before] = useState(() => draftOf(type, record, about, isNew));
  const [draft, setDraft] = useState(begun ?? before);
  const input = useMemo(() => changesIn(type, before, draft, about), [type, before, draft, about]);
  const canSaveLines = isNew || canSave(type);

  const { pending, problem, error, start, reset, ...ended } = useAttempt(
    async ({ after, ...values }: Attempt): Promise<Found | undefined> => {
      if (!after && Object.keys(values.input).length === 0 && !isNew) throw new Error('Nothing has been changed.');
      const missing = isNew ? missingIn(type, draft, about) : undefined;
      if (missing) throw missing;
      // What is new and lines have no dry run: only what stands in the form is shown.
      if (!after && (isNew || !canSaveLines)) return { changes: contentOf(values.input) };
      const operation = isNew
        ? createOperation(type, values.input)
        : saveOperation(type, { id: record.id, ...values, ...(!after && { validateOnly: true }) });
      const [saved] = Object.values(await askOnce<Record<string, Payload>>(operation));
      if (!after) return { changes: saved?.changes };
      if (saved?.record) await onSaved(saved.record.version, saved.record.id);
      return undefined;
    },
    async () => ({ now: await presentRecord() }),
  );
  const problems = useMemo(() => fieldProblems(error), [error]);
  const problemAt = useCallback((place: string) => problems.find((each) => each.place === place)?.words, [problems]);

  const presentRecord = async (): Promise<RecordValues> => {
    const now = await readRecord(type, record.id, about).catch((error: unknown) => {
      throw new Error(
        `Somebody else has changed it, so nothing has been saved. What is there now could not be read: ${wordsFor(error)}`,
      );
    });
    if (!now) throw new Error('Somebody has deleted this record in the meantime.');
    return now;
  };

  const found = pending ? pending.after : ended.found;
  return {
    draft,
    input,
    /** Whether something typed would be lost with the form. */
    isTyped: isNew ? draft !== (begun ?? before) : Object.keys(input).length > 0,
    found,
    isTrying: !!pending && !found,
    /** Busy until the page shows what was saved. */
    isBusy: !!pending && !!found,
    problem: problems.length > 0 ? undefined : problem,
    problems,
    problemAt,
    isNew,
    canSaveLines,
    change: setDraft,
    /** What is being tried is not shown any more. */
    close: reset,
    tryOut: () => start({ input, expectedVersion: record.version }),
    save: () => start({ input, expectedVersion: record.version, after: found }),
    /** Saves what has been typed on top of what others have saved: nothing that only they have changed is undone. */
    saveOver: (now: RecordValues) => {
      const theirs = draftOf(type, now, about);
      const sent = changesIn(type, theirs, merged(before, draft, theirs), about);
      return start({ input: sent, expectedVersion: now.version, after: found });
    },
  };
}

/** What an input holds, as a try tells it. */
function contentOf(input: Attempt['input']): Changes {
  const lists = Object.entries(input).flatMap(([list, value]) => (Array.isArray(value) ? [{ list, value }] : []));
  const lines = lists.map(({ list, value }) => ({ list, created: value.length, updated: [], deleted: [] }));
  return { fields: Object.keys(input).filter((name) => !lists.some(({ list }) => list === name)), lines };
}

export type RecordFormState = ReturnType<typeof useRecordForm>;
