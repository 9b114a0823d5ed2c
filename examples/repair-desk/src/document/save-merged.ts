import type { Client } from 'urql';
import { mutate } from '../api/mutate.js';
import { readRepair, saveRepair } from '../api/operations.js';
import { draftOf, isEditable, type Repair, saveInputOf } from '../api/repair.js';
import { isOvertaken, type Trouble, troubleOf } from '../api/trouble.js';
import { type Changes, changesBetween } from '../merge/changes-between.js';
import { merge } from '../merge/merge.js';
import type { Choices } from '../merge/question.js';
import type { Draft } from './draft.js';

export type Outcome =
  /** `news` is what others had changed meanwhile, if anything. */
  | { type: 'saved'; repair: Repair; news: Changes | null }
  /** The user has to see first what others have saved. */
  | { type: 'overtaken'; newer: Repair | 'deleted' }
  | { type: 'refused'; trouble: Trouble };

/** How often others may be faster before the user is told. */
const mostAttempts = 10;

/**
 * Saves the draft over `opened`, with the version that was read. If others have saved meanwhile and the merge asks no
 * question that `choices` does not answer, the merged draft is saved.
 */
export async function saveMerged(client: Client, opened: Repair, edited: Draft, choices: Choices): Promise<Outcome> {
  const { id } = opened;
  let [base, draft] = [opened, edited];
  for (let attempt = 1; ; attempt++) {
    const variables = { id, input: saveInputOf(draft, draftOf(base)), expectedVersion: base.version };
    const { data, error } = await mutate(client, saveRepair, variables);
    const done = data?.done;
    if (done?.record) return { type: 'saved', repair: done.record, news: newsBetween(opened, base) };
    if (!isOvertaken(done?.userErrors))
      return { type: 'refused', trouble: troubleOf(error, done?.userErrors, draft.lines) };

    const read = await client.query(readRepair, { id }, { requestPolicy: 'network-only' });
    if (!read.data || read.error) return { type: 'refused', trouble: troubleOf(read.error) };
    const newer = read.data.assetRepair ?? 'deleted';
    if (newer === 'deleted' || !isEditable(newer) || attempt === mostAttempts) return { type: 'overtaken', newer };
    const merged = merge(draftOf(opened), edited, draftOf(newer), choices);
    if (merged.questions.some(({ key }) => !choices.has(key))) return { type: 'overtaken', newer };
    [base, draft] = [newer, merged.draft];
  }
}

function newsBetween(opened: Repair, base: Repair): Changes | null {
  return base === opened ? null : changesBetween(draftOf(opened), draftOf(base));
}
