import { useCallback, useState } from 'react';
import { askAll, askOnce, useAbout, useAttempt } from '../../api/graphql.js';
import { codeOf, Refusal, wordsFor } from '../../api/problems.js';
import { canSave, recordOperation, saveOperation } from '../operations.js';
import { changesIn, draftOf, merged, type RecordProps, type RecordValues } from './draft.js';

export interface FormProps extends RecordProps {
  /** Resolves when the page shows what was saved. */
  onSaved(version: number): Promise<void>;
  onCancel(): void;
  onReload(): void;
}

/** What an attempt has found: what a save would change, or what somebody else has changed in the meantime. */
type Found =
  | { is: 'tried'; fields: string[]; lines: { list: string; created: number; updated: string[]; deleted: string[] }[] }
  | { is: 'conflict'; now: RecordValues };

type Payload = { record: { version: number } | null; changes?: Omit<Extract<Found, { is: 'tried' }>, 'is'> };

/** A save on top of a version, `after` a look at what was found; without it, the save is only tried. */
interface Attempt {
  input: Record<string, unknown>;
  expectedVersion: number;
  after?: Found | undefined;
}

/** The form of a record: what has been typed, what is wrong with it, and the way from a try to a save. */
export function useRecordForm({ type, record, onSaved }: FormProps) {
  const about = useAbout();
  const [before] = useState(() => draftOf(type, record, about));
  const [draft, setDraft] = useState(before);
  const input = changesIn(type, before, draft, about);
  const canSaveLines = canSave(type);

  const { pending, problem, error, start, reset, ...ended } = useAttempt(
    async ({ after, ...values }: Attempt): Promise<Found | undefined> => {
      const fields = Object.keys(values.input);
      if (!after && fields.length === 0) throw new Error('Nothing has been changed.');
      // Lines have no dry run: only what has been changed in the form is shown.
      if (!after && !canSaveLines) return { is: 'tried', fields, lines: [] };
      const operation = saveOperation(type, { id: record.id, ...values, ...(!after && { validateOnly: true }) });
      try {
        const [saved] = Object.values(await askOnce<Record<string, Payload>>(operation));
        if (!after) return saved?.changes && { is: 'tried', ...saved.changes };
        if (saved?.record) await onSaved(saved.record.version);
        return undefined;
      } catch (error) {
        if (codeOf(error) !== 'VERSION_CONFLICT') throw error;
        return { is: 'conflict', now: await presentRecord() };
      }
    },
  );
  const problemAt = useCallback(
    (place: string) =>
      (error instanceof Refusal ? error.problems : [])
        .flatMap(({ extensions }) => extensions?.errors ?? [])
        .find(({ param }) => param === place)?.message,
    [error],
  );

  const presentRecord = async (): Promise<RecordValues> => {
    const operation = recordOperation(type, record.id, about);
    const found = await askAll<Record<string, RecordValues | null>>(operation).catch((error: unknown) => {
      throw new Error(
        `Somebody else has changed it, so nothing has been saved. What is there now could not be read: ${wordsFor(error)}`,
      );
    });
    const now = found[type.one];
    if (!now) throw new Error('Somebody has deleted this record in the meantime.');
    return now;
  };

  const found = pending ? pending.after : ended.found;
  return {
    draft,
    input,
    found,
    isTrying: !!pending && !found,
    /** Busy until the page shows what was saved. */
    isBusy: !!pending && !!found,
    problem,
    problemAt,
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

export type RecordFormState = ReturnType<typeof useRecordForm>;
