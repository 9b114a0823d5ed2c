import type { Client } from 'urql';
import type { Hidden } from '../api/hidden.js';
import { readRepair, saveRepair } from '../api/operations.js';
import { draftOf, type Repair, saveInputOf, whyLocked } from '../api/repair.js';
import { isOvertaken, type Trouble, troubleOf } from '../api/trouble.js';
import { type Choices, merge } from '../merge/merge.js';
import type { Draft } from './draft.js';

export type Outcome =
  /** `onTopOf` is what others had saved meanwhile, or what the user had opened. */
  | { type: 'saved'; repair: Repair; onTopOf: Repair }
  /** The user has to see first what others have saved. */
  | { type: 'overtaken'; newer: Repair | 'deleted' }
  | { type: 'refused'; trouble: Trouble };

/** How often others may be faster before the user is told. */
const mostAttempts = 10;

/**
 * Saves the draft over `opened`, with the version that was read. If others have saved meanwhile and the merge asks no
 * question that `choices` does not answer, the merged draft is saved.
 */
export async function saveMerged(
  client: Client,
  opened: Repair,
  edited: Draft,
  choices: Choices,
  hidden: Hidden,
): Promise<Outcome> {
  const { id } = opened;
  let [base, draft] = [opened, edited];
  for (let attempt = 1; ; attempt++) {
    const variables = { id, input: saveInputOf(draft, draftOf(base), hidden), expectedVersion: base.version };
    const { data, error } = await client.mutation(saveRepair, variables);
    const done = data?.done;
    if (done?.record) return { type: 'saved', repair: done.record, onTopOf: base };
    if (!isOvertaken(done?.userErrors)) {
      // The lines of a merged draft have other numbers than those of the form: the user is to merge them first.
      if (base !== opened && done) return { type: 'overtaken', newer: base };
      return { type: 'refused', trouble: troubleOf(error, done?.userErrors) };
    }
    const read = await client.query(readRepair, { id }, { requestPolicy: 'network-only' });
    if (!read.data || read.error) return { type: 'refused', trouble: troubleOf(read.error) };
    const newer = read.data.assetRepair ?? 'deleted';
    if (newer === 'deleted' || whyLocked(newer) || attempt === mostAttempts) return { type: 'overtaken', newer };
    const merged = merge(draftOf(opened), edited, draftOf(newer), choices);
    if (merged.questions.some(({ key }) => !choices.has(key))) return { type: 'overtaken', newer };
    [base, draft] = [newer, merged.draft];
  }
}
