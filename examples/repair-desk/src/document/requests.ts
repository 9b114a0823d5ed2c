/** The requests of the user; each reports its result to the form. */
import type { Client, TypedDocumentNode } from 'urql';
import { mutate } from '../api/mutate.js';
import { createRepair, readRepair } from '../api/operations.js';
import { createInputOf, type Repair } from '../api/repair.js';
import { isOvertaken, troubleOf } from '../api/trouble.js';
import type { MistakeFragment } from '../generated/graphql.js';
import { addresses, replaceBy } from '../route.js';
import { checkDraft } from './check-draft.js';
import type { FormAction, FormState } from './form-state.js';
import { saveMerged } from './save-merged.js';

type Dispatch = (action: FormAction) => void;

/** Saves the draft with what others have changed meanwhile, or creates the repair if it is new. */
export async function save(client: Client, state: FormState, dispatch: Dispatch): Promise<void> {
  const { base, draft, choices } = state;
  const problems = checkDraft(draft);
  if (problems.size > 0) return dispatch({ type: 'failed', trouble: { message: '', problems } });
  if (base === null) return create(client, state, dispatch);
  dispatch({ type: 'begun' });
  const outcome = await saveMerged(client, base, draft, choices);
  if (outcome.type === 'saved') return dispatch({ ...outcome, type: 'done', note: 'Saved.' });
  if (outcome.type === 'overtaken') dispatch({ type: 'arrived', newer: outcome.newer });
  dispatch({ type: 'failed', trouble: outcome.type === 'refused' ? outcome.trouble : null });
}

/** Creates a new repair from the draft, and opens it. */
export async function create(client: Client, { draft }: FormState, dispatch: Dispatch): Promise<void> {
  dispatch({ type: 'begun' });
  const { data, error } = await mutate(client, createRepair, { input: createInputOf(draft) });
  const repair = data?.done?.record;
  if (!repair) return dispatch({ type: 'failed', trouble: troubleOf(error, data?.done?.userErrors, draft.lines) });
  dispatch({ type: 'done', repair, note: '', news: null });
  replaceBy(addresses.repair(repair.id));
}

/** Submits, cancels or deletes the version that the user sees. @returns the answer, if it was carried out */
export async function act<Done extends { userErrors: MistakeFragment[] }>(
  client: Client,
  action: TypedDocumentNode<{ done: Done | null }, { id: string; expectedVersion: number }>,
  { id, version }: Repair,
  dispatch: Dispatch,
): Promise<Done | undefined> {
  dispatch({ type: 'begun' });
  const { data, error } = await mutate(client, action, { id, expectedVersion: version });
  const done = data?.done;
  if (done?.userErrors.length === 0) return done;
  const isLate = isOvertaken(done?.userErrors);
  if (isLate) await lookAgain(client, id, dispatch);
  dispatch({ type: 'failed', trouble: isLate ? overtaken : troubleOf(error, done?.userErrors) });
  return undefined;
}

const overtaken = {
  message: 'Nothing was done, because somebody has changed this repair. Look at it, then try again.',
  problems: new Map<string, string>(),
};

/** Reads what others have saved; without an answer everything stays as it is. */
export async function lookAgain(client: Client, id: string, dispatch: Dispatch): Promise<void> {
  const { data, error } = await client.query(readRepair, { id }, { requestPolicy: 'network-only' });
  if (data && !error) dispatch({ type: 'arrived', newer: data.assetRepair ?? 'deleted' });
}
