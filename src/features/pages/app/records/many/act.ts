/** Acts on many records, or tries to: 100 in a call, which is a transaction of its own. */
import type { TypeAbout } from '../../../about.js';
import { askAll, askOnce } from '../../api/graphql.js';
import { blockSize } from '../list/list-state.js';
import { namesOf } from '../list/recent.js';
import { manyOperation } from '../operations.js';
import type { ManyAction } from './selection.js';

/** What is done, and how far it has come. The next call begins at a place among the ids, and behind an id. */
export interface Run {
  type: TypeAbout;
  action: ManyAction;
  input?: Record<string, unknown>;
  chosen: { ids: string[] } | { where: object };
  total: number;
  isTry: boolean;
  isOver: boolean;
  looked: number;
  refused: { id: string; name: string; reason: string }[];
  at: number;
  after: string | undefined;
}

type Errors = { message: string }[];
type Payload = {
  results: { recordId: string; done: boolean; userErrors: Errors }[] | null;
  moreAfter: string | null;
  userErrors: Errors;
};

const sentence = (errors: Errors): string => errors.map(({ message }) => message).join(' ');

/** Makes the next call. If it throws, the run can go on from where it was, and nothing happens twice. */
export async function nextCall(run: Run): Promise<Run> {
  const { type, action, input, chosen, isTry, after } = run;
  const part = 'ids' in chosen ? { ids: chosen.ids.slice(run.at, run.at + blockSize) } : chosen;
  const operation = manyOperation(type, { ...part, action, input, validateOnly: isTry, after });
  const { many } = await (isTry ? askAll : askOnce)<{ many: Payload }>(operation);
  if (!many.results) throw new Error(sentence(many.userErrors));
  const refused = many.results.filter(({ done }) => !done);
  const ids = refused.map(({ recordId }) => recordId);
  // Done is done: that names cannot be read changes nothing of it.
  const names = ids[0] ? await namesOf(ids).catch(() => undefined) : undefined;
  const at = run.at + (many.moreAfter === null ? blockSize : 0);
  return {
    ...{ ...run, at, after: many.moreAfter ?? undefined, looked: run.looked + many.results.length },
    isOver: many.moreAfter === null && !('ids' in chosen && at < chosen.ids.length),
    refused: run.refused.concat(
      refused.map(({ recordId: id, userErrors }) => ({
        ...{ id, name: names?.get(id) ?? '' },
        // Those that fail alike are shown together.
        reason: sentence(userErrors).replaceAll(id, '…'),
      })),
    ),
  };
}
